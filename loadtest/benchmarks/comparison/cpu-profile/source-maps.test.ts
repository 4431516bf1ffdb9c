import { mkdirSync, mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { createSourceFinder } from './source-maps.ts'

test('the source of a function in a bundle is found by its source map; other files and modules of Node.js keep their path', ({
  onTestFinished,
}) => {
  const built = mkdtempDisposableSync(join(tmpdir(), 'built-'))
  onTestFinished(() => built.remove())
  const file = join(built.path, 'services/shared/chunk.js')
  mkdirSync(dirname(file), { recursive: true })
  // The second line is the start of `libs/bus/open.ts`; the first has no source.
  const map = { version: 3, sources: ['../../libs/bus/open.ts'], names: [], mappings: ';AAAA' }
  writeFileSync(`${file}.map`, JSON.stringify(map))
  const findSource = createSourceFinder(built.path)
  const find = (url: string, lineNumber: number) => findSource({ functionName: '', url, lineNumber, columnNumber: 0 })
  expect(find(pathToFileURL(file).href, 1)).toBe('libs/bus/open.ts')
  expect(find(pathToFileURL(file).href, 0)).toBe('bundler')
  expect(find(pathToFileURL(join(built.path, 'services/identity/main.js')).href, 0)).toBe('services/identity/main.js')
  expect(find('node:internal/streams/writable', 0)).toBe('node:internal/streams/writable')
})
