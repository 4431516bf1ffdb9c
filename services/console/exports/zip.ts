import { ZipWriter } from '@zip.js/zip.js'

const partBytes = 1_048_576

/**
 * Writes a ZIP of one file with a password (WinZip AES-256) while the content is produced.
 *
 * @param writePart receives the ZIP in parts of one megabyte, in order
 * @returns the size of the ZIP in bytes
 */
export async function writeZip(
  { name, content, password }: { name: string; content: AsyncIterable<Uint8Array>; password: string },
  writePart: (part: Buffer, number: number) => Promise<void>,
): Promise<number> {
  let buffered: Uint8Array[] = []
  let bufferedBytes = 0
  let number = 0
  let bytes = 0
  const flush = async () => {
    if (bufferedBytes === 0) return
    await writePart(Buffer.concat(buffered), number++)
    buffered = []
    bufferedBytes = 0
  }
  const output = new WritableStream<Uint8Array>({
    async write(chunk) {
      // The writer can reuse its buffer.
      buffered.push(Uint8Array.from(chunk))
      bufferedBytes += chunk.byteLength
      bytes += chunk.byteLength
      if (bufferedBytes >= partBytes) await flush()
    },
    close: flush,
  })
  const zip = new ZipWriter(output, { password, encryptionStrength: 3, useWebWorkers: false })
  await zip.add(name, ReadableStream.from(content))
  await zip.close()
  return bytes
}
