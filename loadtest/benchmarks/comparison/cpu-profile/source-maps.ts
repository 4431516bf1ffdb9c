import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { CallFrame, SelfTimeOptions } from './self-time.ts'

const Payload = z.object({
  version: z.int(),
  file: z.string().default(''),
  sources: z.array(z.string()),
  sourcesContent: z.array(z.string()).default([]),
  names: z.array(z.string()),
  mappings: z.string(),
  sourceRoot: z.string().default(''),
})

/** Code that no source has. */
const bundlerCode = 'bundler'

/**
 * Finds sources by the source maps next to the bundles.
 *
 * @param built directory of the bundles, to which the paths of sources are relative
 */
export function createSourceFinder(built: string): SelfTimeOptions['findSource'] {
  const maps = new Map<string, SourceMap | undefined>()
  return ({ url, lineNumber, columnNumber }: CallFrame) => {
    if (!url.startsWith('file:')) return url
    const path = fileURLToPath(url)
    if (!maps.has(path)) maps.set(path, readSourceMap(`${path}.map`))
    const map = maps.get(path)
    if (map === undefined) return relative(built, path)
    const entry = map.findEntry(lineNumber, columnNumber)
    return 'originalSource' in entry ? relative(built, join(dirname(path), entry.originalSource)) : bundlerCode
  }
}

function readSourceMap(file: string): SourceMap | undefined {
  return existsSync(file) ? new SourceMap(Payload.parse(JSON.parse(readFileSync(file, 'utf8')))) : undefined
}
