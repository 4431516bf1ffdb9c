/** A Markdown table. The first column is aligned to the left, the others to the right. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = head.map((_, n) => (n === 0 ? '---' : '--:'))
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
