import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { root } from '../local/settings.ts'
import { atOnce } from './at-once.ts'
import { type DocumentedValue, flatten, readDocumentedValues } from './documented-values.ts'
import { chart, installations, renderOver } from './installations.ts'

/**
 * Values of the chart that change nothing in any installation, whatever they are set to.
 *
 * @param rendered the objects of each installation
 */
export async function unusedValues(
  helm: string,
  rendered: ReadonlyMap<string, string>,
  progress: (done: number, of: number) => void,
): Promise<string[]> {
  const values = flatten(readDocumentedValues(readFileSync(join(root, chart, 'values.yaml'), 'utf8'))).filter(isLeaf)
  let done = 0
  const unused = await atOnce(values, async (value) => {
    const changes = await changesSomething(helm, value, rendered)
    progress(++done, values.length)
    return changes ? [] : [value.path.join('.')]
  })
  return unused.flat()
}

/** What has no keys of its own; the services' own keys are those of `defaults`. */
function isLeaf({ path, children }: DocumentedValue): boolean {
  return children.length === 0 && path[0] !== 'services'
}

async function changesSomething(
  helm: string,
  value: DocumentedValue,
  rendered: ReadonlyMap<string, string>,
): Promise<boolean> {
  const other = value.path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), anotherThan(value))
  for (const installation of likeliestFirst(value.path)) {
    if ((await renderOver(helm, installation, stringify(other))) !== rendered.get(installation)) return true
  }
  return false
}

const setBy = new Map(
  installations.map((name): [string, unknown] => [
    name,
    parse(readFileSync(join(root, chart, `ci/${name}.yaml`), 'utf8')),
  ]),
)

/** Installations in whose values more of the path stands show sooner what a value does; the one that sets most is `complete`. */
function likeliestFirst(path: readonly string[]): readonly string[] {
  const rank = (name: string) => depth(setBy.get(name), path) + (name === 'complete' ? 0.5 : 0)
  return [...installations].sort((a, b) => rank(b) - rank(a))
}

/** How many keys of the path stand in the values. */
function depth(values: unknown, [key, ...rest]: readonly string[]): number {
  const inner =
    key !== undefined && typeof values === 'object' && values !== null ? Reflect.get(values, key) : undefined
  return inner === undefined ? 0 : 1 + depth(inner, rest)
}

/** A value of the same type that nobody has set. */
function anotherThan({ types, one_of, holds, initial, like, free, path }: DocumentedValue): unknown {
  if (like !== undefined) return { existingSecret: 'another', enabled: true, port: 1234 }
  if (one_of !== undefined) return one_of.find((one) => one !== initial)
  if (free) return { another: 1 }
  if (types[0] === 'array') return [holds === 'object' ? { another: 1 } : 'another']
  if (holds !== undefined)
    return { another: holds === 'object' ? { another: 1 } : holds === 'number' ? 0.5 : 'another' }
  if (types.includes('boolean')) return initial !== true
  if (types.includes('integer')) return typeof initial === 'number' ? initial + 7 : 77
  return path.at(-1)?.endsWith('Url') ? 'https://another.example.com' : 'another'
}
