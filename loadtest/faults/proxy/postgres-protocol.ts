import { createSplitter, type Piece, type Splitter, type WireProtocol } from './wire-protocol.ts'

/**
 * PostgreSQL frontend/backend protocol 3.0, without TLS. A statement is a simple query, or the messages of an extended query
 * up to Sync, which are forwarded together.
 */
export const postgresProtocol: WireProtocol = {
  fromProcess: splitStatements,
  toProcess: () =>
    createSplitter(messageLength, (bytes) => [{ bytes, completes: String.fromCharCode(bytes[0] ?? 0) === 'Z' }]),
}

function messageLength(bytes: Buffer): number | undefined {
  return bytes.length < 5 ? undefined : 1 + bytes.readInt32BE(1)
}

function splitStatements(): Splitter {
  let isStarted = false
  let label = ''
  let held: Buffer[] = []
  const flush = (bytes: Buffer): Buffer => {
    const all = Buffer.concat([...held, bytes])
    held = []
    return all
  }
  const read = (bytes: Buffer): Piece[] => {
    // The first message has no type.
    if (!isStarted) {
      isStarted = true
      return [{ bytes }]
    }
    const type = String.fromCharCode(bytes[0] ?? 0)
    if (type === 'Q') return [{ bytes: flush(bytes), unit: { kind: 'statement', label: textAt(bytes, 5) } }]
    if (type === 'S') return [{ bytes: flush(bytes), unit: { kind: 'statement', label } }]
    // Parse: the name of the prepared statement, then the text.
    if (type === 'P') label = textAt(bytes, bytes.indexOf(0, 5) + 1)
    if (!'PBDEC'.includes(type)) return [{ bytes: flush(bytes) }]
    held.push(bytes)
    return []
  }
  const length = (bytes: Buffer): number | undefined => {
    if (isStarted) return messageLength(bytes)
    return bytes.length < 4 ? undefined : bytes.readInt32BE(0)
  }
  return createSplitter(length, read)
}

function textAt(bytes: Buffer, start: number): string {
  return bytes.toString('utf8', start, bytes.indexOf(0, start)).replaceAll(/\s+/g, ' ').trim()
}
