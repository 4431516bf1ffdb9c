import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { root } from '../../deploy/local/settings.ts'
import { busInterfaces } from '../../deploy/nats/bus-interfaces.ts'

/** The calls that each test file causes: `api-gateway identity.createUser output`. */
export type CallsByFile = ReadonlyMap<string, ReadonlySet<string>>

/** Every call that a service of the process may make to another one. */
export function listPossibleCalls(): readonly string[] {
  return busInterfaces.flatMap(({ name, calls }) =>
    Object.values(calls).flatMap(({ service, procedures }) =>
      Object.keys(procedures).map((procedure) => `${name} ${service}.${procedure}`),
    ),
  )
}

/** Reads what `recordCalls` wrote. */
export function readCalls(file: string): CallsByFile {
  const calls = new Map<string, Set<string>>()
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const [path = '', call = ''] = line.split('\t')
    if (!path.endsWith('.test.ts')) continue // a call between two files
    const name = relative(root, path)
    calls.set(name, (calls.get(name) ?? new Set()).add(call))
  }
  return calls
}

/** The possible calls that had no successful outcome. */
export function listMissingCalls(calls: CallsByFile): readonly string[] {
  const made = new Set([...calls.values()].flatMap((ofFile) => [...ofFile]))
  return listPossibleCalls().filter((call) => !made.has(`${call} output`))
}

/** Selects few files that together cause all calls, each time the one that adds the most for its duration. */
export function selectFiles(calls: CallsByFile, secondsOf: (file: string) => number): readonly string[] {
  const missing = new Set([...calls.values()].flatMap((ofFile) => [...ofFile]))
  const selected: string[] = []
  while (missing.size > 0) {
    const rated = [...calls].map(([file, ofFile]) => {
      const added = [...ofFile].filter((call) => missing.has(call))
      return { file, added, rate: added.length / secondsOf(file) }
    })
    const best = rated.reduce((a, b) => (b.rate > a.rate ? b : a))
    for (const call of best.added) missing.delete(call)
    selected.push(best.file)
  }
  return selected.sort()
}
