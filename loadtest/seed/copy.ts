import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

/** Imports lines of COPY's text format into Postgres. */
export async function copy(database: pg.Client, statement: string, lines: Iterable<string>): Promise<void> {
  await pipeline(Readable.from(inChunks(lines)), database.query(copyFrom(statement)))
}

/** Combines lines to writes of 64 kB. */
function* inChunks(lines: Iterable<string>): Generator<Buffer> {
  let chunk = ''
  for (const line of lines) {
    chunk += line
    if (chunk.length < 65_536) continue
    yield Buffer.from(chunk)
    chunk = ''
  }
  if (chunk) yield Buffer.from(chunk)
}
