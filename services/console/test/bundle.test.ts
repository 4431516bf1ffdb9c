import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { buildPages, isStale } from '../web/build.ts'

const dist = join(import.meta.dirname, '../web/dist')
const mostBytes = 250_000

/** A chunk in Vite's manifest (Vite, Backend Integration). */
const Manifest = z.record(
  z.string(),
  z.object({
    file: z.string(),
    isEntry: z.boolean().default(false),
    imports: z.array(z.string()).default([]),
    dynamicImports: z.array(z.string()).default([]),
  }),
)
type Manifest = z.output<typeof Manifest>

let manifest: Manifest
beforeAll(async () => {
  if (isStale()) await buildPages()
  manifest = Manifest.parse(JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')))
}, 120_000)

/** The files that a chunk imports statically. */
function filesOf(names: readonly string[], found = new Set<string>()): Set<string> {
  for (const name of names) {
    const chunk = manifest[name]
    if (chunk === undefined || found.has(chunk.file)) continue
    found.add(chunk.file)
    filesOf(chunk.imports, found)
  }
  return found
}

const textOf = (file: string) => readFileSync(join(dist, file), 'utf8')
const compressed = (files: Iterable<string>) => [...files].reduce((sum, file) => sum + gzipSync(textOf(file)).length, 0)

/** The page of a login provider loads the texts about that provider. */
function sizesOfGuides(language: string): number[] {
  const names = Object.keys(manifest).filter((name) => name.startsWith(`${language}/providers/`))
  expect(names).not.toEqual([])
  return names.map((name) => compressed(filesOf([name])))
}

test('every page loads less than 250 kB of compressed script without charts', () => {
  const entry = Object.keys(manifest).filter((name) => manifest[name]?.isEntry)
  expect(entry).toHaveLength(1)
  const first = filesOf(entry)
  const pages = Object.keys(manifest).filter((name) => /^pages\/.*\.tsx$/.test(name) && !name.endsWith('charts.tsx'))
  expect(pages.length).toBeGreaterThan(10)
  for (const language of ['texts/en', 'texts/ja']) {
    for (const page of pages) {
      const bytes = compressed(filesOf([...entry, page, `${language}/index.ts`]))
      const guides = page === 'pages/providers/provider.tsx' ? sizesOfGuides(language) : []
      expect.soft(bytes + Math.max(0, ...guides), `${page} with ${language}`).toBeLessThan(mostBytes)
    }
  }
  const charts = filesOf(['pages/usage/charts.tsx'])
  expect([...charts].some((file) => !first.has(file))).toBe(true)
})

test('the pages contain the contract as plain data; a schema library comes with a chosen file only', () => {
  const reader = Object.keys(manifest).filter((name) => name.endsWith('imports/reader.ts'))
  expect(reader).toHaveLength(1)
  const others = Object.entries(manifest).filter(([name]) => !reader.includes(name))
  const withSchemas = others.filter(([, { file }]) => /ZodObject|invalid_union/.test(textOf(file)))
  expect(withSchemas.map(([name]) => name)).toEqual([])
  expect(compressed(filesOf(reader))).toBeLessThan(60_000)
  expect(others.flatMap(([name, { imports }]) => (imports.some((one) => reader.includes(one)) ? [name] : []))).toEqual(
    [],
  )
})
