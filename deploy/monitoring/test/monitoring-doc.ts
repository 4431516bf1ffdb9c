import { readFileSync } from 'node:fs'

/** Returns a file from docs/operate/monitoring.md: the code block after its name. */
export function fileOfMonitoringDoc(name: string): string {
  const text = readFileSync('docs/operate/monitoring.md', 'utf8')
  const block = text.split(`\`${name}\`:\n\n\`\`\`yaml\n`)[1]?.split('```')[0]
  if (block === undefined) throw new Error(`docs/operate/monitoring.md gives no ${name}.`)
  return block
}
