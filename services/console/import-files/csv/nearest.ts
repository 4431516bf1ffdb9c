/** The one of the names that differs least from a text, by insertions, deletions and replacements (Levenshtein). */
export function nearest(text: string, names: readonly string[]): string | undefined {
  const ranked = names.map((name) => ({ name, distance: distanceOf(text, name) }))
  return ranked.toSorted((a, b) => a.distance - b.distance)[0]?.name
}

function distanceOf(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [row, letter] of [...a].entries()) {
    const current = [row + 1]
    for (const [column, other] of [...b].entries()) {
      const replaced = (previous[column] ?? 0) + (letter === other ? 0 : 1)
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1))
    }
    previous = current
  }
  return previous.at(-1) ?? 0
}
