import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { buildPages, isStale } from '../web/build.ts'

const dist = join(import.meta.dirname, '../web/dist')
/** Of compressed script that a page loads. */
const mostBytes = { signIn: 60_000, console: 250_000 } as const

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

const readManifest = (entry: string) =>
  Manifest.parse(JSON.parse(readFileSync(join(dist, `.vite/${entry}.json`), 'utf8')))

let manifest: Manifest
let signIn: Manifest
beforeAll(async () => {
  if (isStale()) await buildPages()
  manifest = readManifest('index')
  signIn = readManifest('sign-in')
})

/** The files that a chunk imports statically. */
function filesOf(names: readonly string[], chunks = manifest, found = new Set<string>()): Set<string> {
  for (const name of names) {
    const chunk = chunks[name]
    if (chunk === undefined || found.has(chunk.file)) continue
    found.add(chunk.file)
    filesOf(chunk.imports, chunks, found)
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

test.each(['texts/en', 'texts/ja'])(
  'the pages before sign-in load less than 60 kB of compressed script with %s',
  (language) => {
    const scripts = [...textOf('sign-in.html').matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, file = '']) => file)
    const entry = filesOf(['sign-in.html'], signIn)
    expect(scripts).toEqual(expect.arrayContaining([...entry]))
    expect(Object.keys(signIn)).toContain(`${language}/signed-out.ts`)
    const chunks = filesOf([`${language}/signed-out.ts`], signIn, new Set([...scripts, ...entry]))
    // With the first error, the messages of reasons are loaded as well.
    const reasons = Object.keys(signIn).filter((name) => /reasons(\.json)?$/.test(name))
    expect(reasons).toHaveLength(2)
    const largest = Math.max(...reasons.map((name) => compressed(filesOf([name], signIn))))
    expect(compressed(chunks) + largest).toBeLessThan(mostBytes.signIn)
    expect([...chunks].filter((file) => /react\.dev\/errors/.test(textOf(file)))).toEqual([])
  },
)

test('every page after sign-in loads less than 250 kB of compressed script without charts', () => {
  const entry = Object.keys(manifest).filter((name) => manifest[name]?.isEntry)
  expect(entry).toHaveLength(1)
  const first = filesOf(entry)
  const pages = Object.keys(manifest).filter((name) => /^pages\/.*\.tsx$/.test(name) && !name.endsWith('charts.tsx'))
  expect(pages.length).toBeGreaterThan(10)
  for (const language of ['texts/en', 'texts/ja']) {
    for (const page of pages) {
      const bytes = compressed(filesOf([...entry, page, `${language}/index.ts`]))
      const guides = page === 'pages/providers/provider.tsx' ? sizesOfGuides(language) : []
      expect.soft(bytes + Math.max(0, ...guides), `${page} with ${language}`).toBeLessThan(mostBytes.console)
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
