import type { Readable } from 'node:stream'

/** What the command line touches of the world, so that it can be run within a process. */
export interface Io {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly stdin: Readable
  readonly print: (text: string) => void
  readonly complain: (text: string) => void
  /** A person is there to answer questions. */
  readonly interactive: boolean
  /** Width of the terminal in columns. */
  readonly columns: number
}

/** All of standard input. */
export async function readStdin(io: Io): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of io.stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}
