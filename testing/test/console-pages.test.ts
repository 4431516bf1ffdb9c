import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'

type Texts = { [name: string]: string | Texts }
const Texts: z.ZodType<Texts> = z.lazy(() => z.record(z.string(), z.union([z.string(), Texts])))

/** All texts of the console in a language. */
function readTexts(language: string): string[] {
  const values = (texts: Texts): string[] =>
    Object.values(texts).flatMap((value) => (typeof value === 'string' ? [value] : values(value)))
  return globSync(`services/console/web/texts/${language}/**/*.json`).flatMap((file) =>
    values(Texts.parse(JSON.parse(readFileSync(file, 'utf8')))),
  )
}

test.each([
  ['en', 'docs/use/console.md', /(?<!\*)\*([^*]+)\*(?!\*)/g],
  ['ja', 'docs/ja/use/console.md', /「([^」]+)」/g],
])('the labels in the guide (%s) are those of the console', (language, file, label) => {
  const texts = readTexts(language)
  const text = readFileSync(file, 'utf8').replaceAll(/\n */g, ' ')
  const labels = [...text.matchAll(label)].map(([, found = '']) => found.replaceAll('…', '').trim())
  expect(labels.length).toBeGreaterThan(50)
  expect(labels.filter((found) => !texts.some((shown) => shown.includes(found)))).toEqual([])
})
