import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { faults, limits } from '#contracts'
import { readSettings } from '../../deploy/local/settings.ts'
import * as services from '../services.ts'

const choices = readFileSync('docs/use/behavior-and-limits.md', 'utf8')
const page = readFileSync('docs/operate/settings.md', 'utf8')
const [ofServices = '', ofNpmStart = ''] = page.split('## On one machine')

/** The names in backquotes in the first column of tables. */
function namesIn(text: string): Set<string> {
  const cells = [...text.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) => [...cell.matchAll(/`([A-Z_]+)`/g)])
  return new Set(cells.map(([, name = '']) => name))
}

test('docs/operate/settings.md lists exactly the settings that the services read', () => {
  const read = Object.values(services).flatMap(({ readConfig }) => readConfig.settings)
  expect([...namesIn(ofServices)].sort()).toEqual([...new Set(read)].sort())
})

test('docs/operate/settings.md lists all settings of npm start', () => {
  expect([...namesIn(ofNpmStart)].sort()).toEqual([...readSettings.settings].sort())
})

test('docs/use/behavior-and-limits.md lists every limit with its value', () => {
  const rows = [...choices.matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, name, value]) => [name, Number(value)])
  expect(Object.fromEntries(rows)).toEqual(limits)
})

test('docs/use/behavior-and-limits.md lists every error code of our own', () => {
  const rows = [...choices.matchAll(/^\| (\d{3}) \| (\d+) \| ([^|]+) \|/gm)].map(([, status, code, message]) => ({
    status: Number(status),
    code: Number(code),
    message,
  }))
  expect(rows).toEqual(Object.values(faults).filter(({ code }) => code > 1_000 || code === 4))
})

test('every relative link of the documentation leads to a file and a heading', () => {
  const broken: string[] = []
  for (const file of globSync('**/*.md', { exclude: ['**/node_modules/**'] }))
    for (const [, target = ''] of readFileSync(file, 'utf8').matchAll(/\]\(([^)\s:]+)\)/g)) {
      const [path = '', heading] = target.split('#')
      const linked = path === '' ? file : join(dirname(file), path)
      const exists = existsSync(linked) && (heading === undefined || findAnchors(linked).includes(heading))
      if (!exists) broken.push(`${file}: ${target}`)
    }
  expect(broken).toEqual([])
})

test.each(globSync('docs/ja/use/**/*.md'))('%s has the sections, tables and code of the English page', (file) => {
  expect(outlineOf(file)).toEqual(outlineOf(file.replace('docs/ja/', 'docs/')))
})

/** The levels of headings, steps and items of lists, the number of rows of each table, and code blocks, in their order. */
function outlineOf(file: string): string[] {
  const parts = readFileSync(file, 'utf8').matchAll(/^(#+|\d+\.|-) |^(?:\|[^\n]*\n)+|^```\w+\n[\s\S]*?^```/gm)
  return [...parts].map(([part, mark]) => mark ?? (part.startsWith('|') ? `${part.split('\n').length - 1} rows` : part))
}

/** The anchors of a page's headings. */
function findAnchors(file: string): string[] {
  const text = readFileSync(file, 'utf8').replaceAll(/^ *```.*?^ *```/gms, '')
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_\s-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
