/** What a fault can stop at: a statement to a database, or a message that the process sends or receives on the bus. */
export type UnitKind = 'statement' | 'sent' | 'received'

export interface Unit {
  readonly kind: UnitKind
  /** The statement's text or the message's subject, for the report. */
  readonly label: string
}

/** A complete piece of the bytes of one direction. Pieces without a unit are forwarded and not counted. */
export interface Piece {
  readonly bytes: Buffer
  readonly unit?: Unit
  /** The server has executed the statement. */
  readonly completes?: boolean
}

/** Splits the bytes of one direction of one connection. Keeps incomplete pieces for the next call. */
export type Splitter = (bytes: Buffer) => Piece[]

export interface WireProtocol {
  readonly fromProcess: () => Splitter
  readonly toProcess: () => Splitter
}

/** Keeps incomplete bytes. `next` returns the length of the first piece, or undefined if it is incomplete. */
export function createSplitter(
  next: (bytes: Buffer) => number | undefined,
  read: (bytes: Buffer) => Piece[],
): Splitter {
  let rest: Buffer = Buffer.alloc(0)
  return (bytes) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    const pieces: Piece[] = []
    for (let length = next(rest); length !== undefined && length <= rest.length; length = next(rest)) {
      pieces.push(...read(rest.subarray(0, length)))
      rest = rest.subarray(length)
    }
    return pieces
  }
}
