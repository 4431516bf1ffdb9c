/**
 * A document with its generated parts replaced: the text between `<!-- generated: <name> -->` and `<!-- end -->`. A test
 * holds it against the document's file, and `vitest -u` writes it there.
 */
export function withGenerated(document: string, parts: Readonly<Record<string, string>>): string {
  return document.replace(
    /(<!-- generated: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, begin: string, name: string, end: string) => {
      const part = parts[name]
      if (part === undefined) throw new Error(`Nothing generates the part ${name}.`)
      return `${begin}${part}\n${end}`
    },
  )
}

/** A table in Markdown; nothing in a cell ends it. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}
