import { randomUUID } from 'node:crypto'
import { waitForRecovery } from '../invariants.ts'
import type { FaultPart, PartOptions, PartReport } from '../part.ts'
import { startReplicatedStack } from '../replicas/replicated-stack.ts'
import { openFaultSite } from '../site.ts'
import { loginRaces } from './login-races.ts'
import { type Race, type RaceContext, racers } from './race.ts'
import { formatRaces, type RaceResult } from './race-report.ts'
import { webApiRaces } from './web-api-races.ts'

const allRaces = [...webApiRaces, ...loginRaces]
const rounds = 10
const coreRounds = 1

/** Requests at once, only some of which may take effect. */
export const races: FaultPart = {
  name: 'races',
  description: `sends ${racers} requests at once, only some of which may take effect`,
  cases: allRaces.map(({ name }) => name),
  core: webApiRaces.map(({ name }) => name),
  run,
}

async function run({ directory, selected, core, step, interruption, print, save }: PartOptions): Promise<PartReport> {
  await using stack = await startReplicatedStack(directory, { step, interruption })
  await using site = await step('Site', () => openFaultSite(stack))
  const results: RaceResult[] = []
  for (const race of allRaces.filter(({ name }) => selected.includes(name))) {
    const violations: string[] = []
    for (let round = 1; round <= (core ? coreRounds : rounds); round++) {
      interruption.throwIfAborted()
      violations.push(...(await runRace(race, { site, databases: stack.databases })))
    }
    results.push({ race: race.name, rounds: core ? coreRounds : rounds, violations })
    print(`${race.name}: ${violations.length} violations`)
    for (const violation of violations) print(`  ${violation}`)
    save(formatRaces(results, []))
  }
  const state = await waitForRecovery(stack.databases)
  return formatRaces(
    results,
    state.violations.map(({ invariant, row }) => `${invariant}: ${row}`),
  )
}

async function runRace(race: Race, context: RaceContext): Promise<string[]> {
  const tag = `r${randomUUID().replaceAll('-', '').slice(0, 16)}`
  const { send, expected, readStored, stored } = await race.prepare(context, tag)
  const outcomes = await Promise.all(
    Array.from({ length: racers }, (_, index) => send(index).catch((error: unknown) => String(error))),
  )
  const counts: Record<string, number> = {}
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1
  return [
    ...compare(`${race.name}: answers`, counts, expected),
    ...(readStored === undefined ? [] : compare(`${race.name}: stored`, await readStored(), stored)),
  ]
}

function compare(what: string, seen: unknown, expected: unknown): string[] {
  const [shown, wanted] = [seen, expected].map((value) => JSON.stringify(sorted(value)))
  return shown === wanted ? [] : [`${what}: ${shown} instead of ${wanted}`]
}

/** With keys in a fixed order. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}
