/**
 * Replaces the generated parts of a document, which are between `<!-- generated: <name> -->` and `<!-- end -->`. A test
 * compares the result with the file, and `vitest -u` updates the file.
 */
export function withGenerated(document: string, parts: Readonly<Record<string, string>>): string {
  return document.replace(
    /(<!-- generated: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, begin: string, name: string, end: string) => {
      const part = parts[name]
      if (part === undefined) throw new Error(`There is no generator for the part ${name}.`)
      return `${begin}${part}\n${end}`
    },
  )
}

/** Returns a Markdown table. Cells are escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}
