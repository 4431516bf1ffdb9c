import { createReason } from '#admin-api'
import { ImportFileError } from './record.ts'

/** The bytes with which every gzip file begins (RFC 1952, 2.3.1). */
const gzipMagic = [0x1f, 0x8b]

/** A file that can be read several times. */
export interface ImportSource {
  readonly open: () => ReadableStream<Uint8Array<ArrayBuffer>>
  /** How much of the file was read, 0 to 1. */
  readonly readShare: () => number
}

export function createSource(file: Blob): ImportSource {
  let read = 0
  const countBytes = () => {
    read = 0
    return new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(bytes, controller) {
        read += bytes.length
        controller.enqueue(bytes)
      },
    })
  }
  return {
    open: () => file.stream().pipeThrough(countBytes()),
    readShare: () => (file.size === 0 ? 1 : read / file.size),
  }
}

/**
 * Reads a file as text in parts, whatever its name says: decompressed if it is a gzip file; UTF-8, UTF-16 with a byte order mark,
 * or Shift_JIS, in which spreadsheets in Japanese write CSV.
 *
 * @throws ImportFileError if the bytes are of no such encoding
 */
export async function* decodeFile(source: ImportSource): AsyncGenerator<string> {
  const { start, stream } = await peek(source.open())
  const isGzip = gzipMagic.every((byte, index) => start[index] === byte)
  const decode = createDecoder()
  for await (const bytes of chunksOf(isGzip ? stream.pipeThrough(new DecompressionStream('gzip')) : stream)) {
    const text = decode(bytes)
    if (text !== '') yield text
  }
  const rest = decode(new Uint8Array(), true)
  if (rest !== '') yield rest
}

/** Reads the first bytes, and returns a stream that begins with them again. */
async function peek(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const reader = stream.getReader()
  const { value: first = new Uint8Array() } = await reader.read()
  const { value: second = new Uint8Array() } = first.length < gzipMagic.length ? await reader.read() : {}
  const start = concatenate(first, second)
  const again = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      if (start.length > 0) controller.enqueue(start)
    },
    async pull(controller) {
      const { value, done } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
  return { start, stream: again }
}

/** Not every browser can iterate over a stream itself. */
async function* chunksOf<T>(stream: ReadableStream<T>): AsyncGenerator<T> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    // A reader that stops early needs no more of the file.
    await reader.cancel().catch(() => {})
  }
}

/** Returns a function that decodes one part after another. */
function createDecoder(): (bytes: Uint8Array<ArrayBuffer>, isLast?: boolean) => string {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  let isAscii = true
  /** The end of the parts so far that may be the beginning of a character, while all before is ASCII. */
  let undecided: Uint8Array<ArrayBuffer> = new Uint8Array()
  return (given, isLast = false) => {
    const bytes = decoder === undefined ? concatenate(undecided, given) : given
    if (decoder === undefined && bytes.length < 2 && !isLast) {
      undecided = bytes
      return ''
    }
    decoder ??= new TextDecoder(utf16Of(bytes) ?? 'utf-8', { fatal: true })
    try {
      const text = decoder.decode(bytes, { stream: !isLast })
      isAscii &&= !/[^\0-\x7f]/.test(text)
      undecided = isAscii ? bytes.slice(bytes.findLastIndex((byte) => byte < 0x80) + 1) : new Uint8Array()
      return text
    } catch (cause) {
      if (!isAscii || decoder.encoding !== 'utf-8') throw new ImportFileError(createReason('file_encoding'), { cause })
      isAscii = false
      decoder = new TextDecoder('shift_jis', { fatal: true })
      return decodeShiftJis(decoder, concatenate(undecided, given), isLast)
    }
  }
}

function decodeShiftJis(
  decoder: InstanceType<typeof TextDecoder>,
  bytes: Uint8Array<ArrayBuffer>,
  isLast: boolean,
): string {
  try {
    return decoder.decode(bytes, { stream: !isLast })
  } catch (cause) {
    throw new ImportFileError(createReason('file_encoding'), { cause })
  }
}

function utf16Of([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}

function concatenate(a: Uint8Array<ArrayBuffer>, b: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (a.length === 0) return b
  const both = new Uint8Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}
