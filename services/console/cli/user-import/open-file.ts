import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { CliError } from '../cli-error.ts'
import { getErrorCode } from '../error-code.ts'

/** The bytes with which every gzip file begins (RFC 1952, 2.3.1). */
const gzipMagic = [0x1f, 0x8b]

/** A file that is being read. */
export interface ImportFile {
  /** The text, in parts. */
  readonly content: AsyncIterable<string>
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
    if (!isGzip) return { content: bytes.setEncoding('utf8'), readShare }
    const content = createGunzip()
    bytes.on('error', (error) => content.destroy(error))
    return { content: bytes.pipe(content).setEncoding('utf8'), readShare }
  } catch (cause) {
    throw new CliError('usage', `${path} cannot be read (${getErrorCode(cause)}).`, { cause })
  }
}
