import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { type NumberedRecord, parseRecordLine } from '../../domain/import-batches.ts'
import { CliError } from '../cli-error.ts'
import { getErrorCode } from '../error-code.ts'

/** The bytes with which every gzip file begins (RFC 1952, 2.3.1). */
const gzipMagic = [0x1f, 0x8b]

/** A file that is being read. */
export interface ImportFile {
  readonly content: Readable
  /** How much of the file was read, 0 to 1. */
  readonly readShare: () => number
}

/** Opens a file for reading, decompressed if it is a gzip file. @throws CliError `usage` if it cannot be read */
export async function openImportFile(path: string): Promise<ImportFile> {
  try {
    await using file = await open(path)
    const { size } = await file.stat()
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0)
    const isGzip = buffer.equals(Buffer.from(gzipMagic))
    const bytes = createReadStream(path)
    const readShare = () => (size === 0 ? 1 : bytes.bytesRead / size)
    if (!isGzip) return { content: bytes, readShare }
    const content = createGunzip()
    bytes.on('error', (error) => content.destroy(error))
    return { content: bytes.pipe(content), readShare }
  } catch (cause) {
    throw new CliError('usage', `${path} cannot be read (${getErrorCode(cause)}).`, { cause })
  }
}

/** Reads a file of JSON lines. Empty lines are skipped. */
export async function* readJsonLines(content: Readable): AsyncGenerator<NumberedRecord> {
  let line = 0
  for await (const text of createInterface({ input: content, crlfDelay: Number.POSITIVE_INFINITY })) {
    const parsed = parseRecordLine(++line, text)
    if (parsed !== undefined) yield parsed
  }
}
