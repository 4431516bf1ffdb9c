import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { root } from '../local/settings.ts'
import { type DocumentedValue, flatten, readDocumentedValues } from './documented-values.ts'
import { chart, installations, render, renderOver } from './installations.ts'

/** Values of the chart that change nothing in any installation, whatever they are set to. */
export async function unusedValues(helm: string, progress: (done: number, of: number) => void): Promise<string[]> {
  const values = flatten(readDocumentedValues(readFileSync(join(root, chart, 'values.yaml'), 'utf8'))).filter(isLeaf)
  const rendered = new Map<string, string>()
  // The one that sets everything first: it shows most.
  for (const installation of ['complete', ...installations])
    rendered.set(installation, await render(helm, installation))

  const unused: string[] = []
  for (const [index, value] of values.entries()) {
    progress(index, values.length)
    if (!(await changesSomething(helm, value, rendered))) unused.push(value.path.join('.'))
  }
  return unused
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
  for (const [installation, as_it_is] of rendered) {
    if ((await renderOver(helm, installation, stringify(other))) !== as_it_is) return true
  }
  return false
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
