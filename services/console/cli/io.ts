import type { Readable } from 'node:stream'

/** The environment of the command line, so that tests can run it in their process. */
export interface Io {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly stdin: Readable
  readonly print: (text: string) => void
  readonly printError: (text: string) => void
  /** Whether the terminal can prompt a user. */
  readonly interactive: boolean
  /** Width of the terminal in columns. */
  readonly columns: number
}

/** Reads all of standard input. */
export async function readStdin(io: Io): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of io.stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}
