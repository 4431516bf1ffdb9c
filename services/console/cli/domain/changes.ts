import type { Change } from './step.ts'

type Fields = Readonly<Record<string, unknown>>

/** Lists the fields whose desired values differ from the actual ones. Fields that are not in the files stay. */
export function listChanges(desired: Fields, actual: Fields | undefined): Change[] {
  return Object.entries(desired)
    .filter(([field, after]) => after !== undefined && (!actual || !isEqualUnordered(after, actual[field])))
    .map(([field, after]) => ({ field, before: actual?.[field], after }))
}

/** Lists the values inside an object with their paths, for example `theme.light.accent`. */
export function listValues(object: object, prefix = ''): [path: string, value: unknown][] {
  return Object.entries(object).flatMap(([key, value]): [string, unknown][] =>
    typeof value === 'object' && value !== null ? listValues(value, `${prefix}${key}.`) : [[prefix + key, value]],
  )
}

/** Compares without the order of lists and keys. In a map of lists, an empty list equals a missing one. */
export function isEqualUnordered(one: unknown, other: unknown): boolean {
  return JSON.stringify(sortDeep(one)) === JSON.stringify(sortDeep(other))
}

/** Sorts lists and keys, so that equal values have equal JSON. */
export function sortDeep(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map(sortDeep).sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(
    ([, part]) => part !== undefined && !(Array.isArray(part) && part.length === 0),
  )
  return Object.fromEntries(
    entries.sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, part]) => [key, sortDeep(part)]),
  )
}
