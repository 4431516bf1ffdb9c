import { readJsonLines } from '../../../import-files/json-lines.ts'
import type { NumberedRecord } from '../../../import-files/record.ts'

/** The bytes with which every gzip file begins (RFC 1952, 2.3.1). */
const gzipMagic = [0x1f, 0x8b]

/** Reads the records of a file of JSON lines, decompressed if it is a gzip file. @param onRead receives the bytes read so far */
export async function* readRecordsOfFile(file: File, onRead: (bytes: number) => void): AsyncGenerator<NumberedRecord> {
  const start = new Uint8Array(await file.slice(0, gzipMagic.length).arrayBuffer())
  const isGzip = gzipMagic.every((byte, index) => start[index] === byte)
  let bytes = 0
  const counted = file.stream().pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        bytes += chunk.byteLength
        onRead(bytes)
        controller.enqueue(chunk)
      },
    }),
  )
  const content = isGzip ? counted.pipeThrough(new DecompressionStream('gzip')) : counted
  yield* readJsonLines(readParts(content.pipeThrough(new TextDecoderStream())))
}

async function* readParts(text: ReadableStream<string>): AsyncGenerator<string> {
  const reader = text.getReader()
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    yield value
  }
}
