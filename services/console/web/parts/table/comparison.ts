export interface SortedRow {
  readonly getValue: (column: string) => unknown
}

/** Compares numbers by size, and texts as readers of the language expect, with numbers in them by size. */
export function createComparison(language: string): (one: unknown, other: unknown) => number {
  const collator = new Intl.Collator(language, { numeric: true })
  return (one, other) =>
    typeof one === 'number' && typeof other === 'number' ? one - other : collator.compare(String(one), String(other))
}
