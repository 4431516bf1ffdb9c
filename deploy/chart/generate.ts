import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { root } from '../local/settings.ts'
import { readDocumentedValues } from './documented-values.ts'
import { createValuesSchema } from './values-schema.ts'
import { createValuesTable } from './values-table.ts'

export const charts = ['charts/social-login', 'charts/dev-deps'] as const

const begin = '<!-- values: generated from values.yaml by `npm run generate:chart` -->'
const end = '<!-- end of values -->'

/** The page of the documentation that has the table as well. */
const pages: Readonly<Record<string, string>> = { 'charts/social-login': 'docs/operate/chart-values.md' }

/**
 * Generates a chart's values.schema.json and the table of its README.md and of the documentation from `values.yaml`.
 *
 * @returns the files' texts by their absolute paths
 */
export function generateChartFiles(chart: string): ReadonlyMap<string, string> {
  const folder = resolve(root, chart)
  const values = readDocumentedValues(readFileSync(join(folder, 'values.yaml'), 'utf8'))
  const table = createValuesTable(values)
  const page = pages[chart]
  const withTable = [join(folder, 'README.md'), ...(page === undefined ? [] : [resolve(root, page)])]
  return new Map([
    [join(folder, 'values.schema.json'), formatted(createValuesSchema(values))],
    ...withTable.map((path): [string, string] => [path, replaceTable(path, table)]),
  ])
}

function replaceTable(path: string, table: string): string {
  const text = readFileSync(path, 'utf8')
  const [before, after] = [text.indexOf(begin), text.indexOf(end)]
  if (before < 0 || after < before) throw new Error(`${path} lacks the markers of the table of values.`)
  return `${text.slice(0, before)}${begin}\n\n${table}\n\n${text.slice(after)}`
}

/** As the project's formatter writes JSON. */
function formatted(schema: unknown): string {
  const biome = join(root, 'node_modules/.bin/biome')
  return execFileSync(biome, ['format', '--stdin-file-path=values.schema.json'], {
    input: JSON.stringify(schema, null, 2),
    encoding: 'utf8',
    cwd: root,
  })
}

if (import.meta.main) {
  for (const chart of charts) for (const [path, text] of generateChartFiles(chart)) writeFileSync(path, text)
}
