import { ZipWriter } from '@zip.js/zip.js'

const partBytes = 1_048_576

/**
 * A ZIP of one file under a password (AES-256 as WinZip has it), written while its content comes.
 *
 * @param writePart takes the ZIP in parts of a megabyte, in order
 * @returns how many bytes the ZIP has
 */
export async function writeZip(
  { name, content, password }: { name: string; content: AsyncIterable<Uint8Array>; password: string },
  writePart: (part: Buffer, number: number) => Promise<void>,
): Promise<number> {
  let waiting: Uint8Array[] = []
  let waitingBytes = 0
  let number = 0
  let bytes = 0
  const flush = async () => {
    if (waitingBytes === 0) return
    await writePart(Buffer.concat(waiting), number++)
    waiting = []
    waitingBytes = 0
  }
  const output = new WritableStream<Uint8Array>({
    async write(chunk) {
      // The writer may use its own buffer again.
      waiting.push(Uint8Array.from(chunk))
      waitingBytes += chunk.byteLength
      bytes += chunk.byteLength
      if (waitingBytes >= partBytes) await flush()
    },
    close: flush,
  })
  const zip = new ZipWriter(output, { password, encryptionStrength: 3, useWebWorkers: false })
  await zip.add(name, ReadableStream.from(content))
  await zip.close()
  return bytes
}
