import type { Change } from './step.ts'

type Fields = Readonly<Record<string, unknown>>

/** The fields that are wanted otherwise than they are. What is not wanted at all stays. */
export function changesOf(wanted: Fields, actual: Fields | undefined): Change[] {
  return Object.entries(wanted)
    .filter(([field, after]) => after !== undefined && (!actual || !isSame(after, actual[field])))
    .map(([field, after]) => ({ field, before: actual?.[field], after }))
}

/** Equal but for the order of lists and of keys; an empty list is as good as none in a map of lists. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(inOrder(one)) === JSON.stringify(inOrder(other))
}

/** Lists sorted and keys sorted, so that equal things are equal texts. */
export function inOrder(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map(inOrder).sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(
    ([, part]) => part !== undefined && !(Array.isArray(part) && part.length === 0),
  )
  return Object.fromEntries(
    entries.sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, part]) => [key, inOrder(part)]),
  )
}
