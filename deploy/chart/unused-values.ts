import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { root } from '../local/settings.ts'
import { type DocumentedValue, flatten, readDocumentedValues } from './documented-values.ts'
import { chart, exampleInstallations, renderWithValues } from './installations.ts'
import { mapConcurrently } from './map-concurrently.ts'

/**
 * Values of the chart that change nothing in any installation, whatever they are set to.
 *
 * @param rendered the objects of each installation
 */
export async function findUnusedValues(
  helm: string,
  rendered: ReadonlyMap<string, string>,
  progress: (done: number, of: number) => void,
): Promise<string[]> {
  const values = flatten(readDocumentedValues(readFileSync(join(root, chart, 'values.yaml'), 'utf8'))).filter(isLeaf)
  let done = 0
  const unused = await mapConcurrently(values, async (value) => {
    const changes = await changesSomething(helm, value, rendered)
    progress(++done, values.length)
    return changes ? [] : [value.path.join('.')]
  })
  return unused.flat()
}

/** Values without keys of their own; a service's keys are those of `defaults`. */
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
    if ((await renderWithValues(helm, installation, stringify(other))) !== rendered.get(installation)) return true
  }
  return false
}

const setBy = new Map(
  exampleInstallations.map((name): [string, unknown] => [
    name,
    parse(readFileSync(join(root, chart, `ci/${name}.yaml`), 'utf8')),
  ]),
)

/** Sorts installations whose values contain more of the path first: they show the effect of a value sooner. */
function likeliestFirst(path: readonly string[]): readonly string[] {
  const rank = (name: string) => depth(setBy.get(name), path) + (name === 'complete' ? 0.5 : 0)
  return [...exampleInstallations].sort((a, b) => rank(b) - rank(a))
}

/** Counts the keys of the path that the values contain. */
function depth(values: unknown, [key, ...rest]: readonly string[]): number {
  const inner =
    key !== undefined && typeof values === 'object' && values !== null ? Reflect.get(values, key) : undefined
  return inner === undefined ? 0 : 1 + depth(inner, rest)
}

/** Another value of the same type. */
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
