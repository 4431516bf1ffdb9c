import { useTexts } from '../texts/index.tsx'

/** A field of a form with another value. */
export interface FieldChange {
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

/** The fields whose values differ. */
export function listFieldChanges(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): readonly FieldChange[] {
  return Object.entries(after)
    .filter(([field, value]) => !isEqual(value, before[field]))
    .map(([field, value]) => ({ field, before: before[field], after: value }))
}

export function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Returns a function that shows the value of a field as text. */
export function useValueText(): (value: unknown) => string {
  const { common } = useTexts()
  return (value) => {
    if (value === '' || (Array.isArray(value) && value.length === 0)) return common.none
    if (Array.isArray(value)) return value.join(', ')
    return typeof value === 'boolean' ? (value ? common.yes : common.no) : String(value)
  }
}
