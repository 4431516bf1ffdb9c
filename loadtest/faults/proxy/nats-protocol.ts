import { createSplitter, type Splitter, type UnitKind, type WireProtocol } from './wire-protocol.ts'

/** The NATS client protocol, without TLS. Only messages are counted. */
export const natsProtocol: WireProtocol = {
  fromProcess: () => splitLines('sent', ['PUB', 'HPUB']),
  toProcess: () => splitLines('received', ['MSG', 'HMSG']),
}

function splitLines(kind: UnitKind, messages: readonly string[]): Splitter {
  const readLine = (bytes: Buffer): string[] | undefined => {
    const end = bytes.indexOf('\r\n')
    return end === -1 ? undefined : bytes.toString('utf8', 0, end).split(/\s+/)
  }
  const isMessage = ([operation = '']: readonly string[]) => messages.includes(operation.toUpperCase())
  return createSplitter(
    (bytes) => {
      const line = readLine(bytes)
      if (line === undefined) return undefined
      const end = bytes.indexOf('\r\n') + 2
      // The last argument is the length of headers and payload together.
      return isMessage(line) ? end + Number(line.at(-1)) + 2 : end
    },
    (bytes) => {
      const line = readLine(bytes) ?? []
      return isMessage(line) ? [{ bytes, unit: { kind, label: line[1] ?? '' } }] : [{ bytes }]
    },
  )
}
