import type { Catalogue } from '#messages'
import type { PageCatalogue } from './texts.ts'

/** The messages of a catalogue by their path, e.g. `choice.heading`. Other values than texts and groups are left out. */
export function listMessages(catalogue: object, group = ''): Map<string, string> {
  return new Map(
    Object.entries(catalogue).flatMap(([name, entry]: [string, unknown]) => {
      if (typeof entry === 'string') return [[group + name, entry] as const]
      return typeof entry === 'object' && entry !== null ? [...listMessages(entry, `${group}${name}.`)] : []
    }),
  )
}

/** The catalogue of messages by path, which has the paths of the English one. */
export function toCatalogue(messages: ReadonlyMap<string, string>): PageCatalogue {
  const root: Record<string, unknown> = {}
  for (const [path, text] of messages) {
    const names = path.split('.')
    const last = names.pop() ?? ''
    let group = root
    for (const name of names) {
      group[name] ??= {}
      group = Object(group[name])
    }
    group[last] = text
  }
  // Its messages were compared with those of the English catalogue.
  return root as Catalogue as PageCatalogue
}
