import type { Server } from './server.ts'

/** A running PostgreSQL, Redis or NATS of our own, listening on 127.0.0.1 alone. */
export interface Part extends AsyncDisposable {
  readonly url: string
  readonly version: string
  /** Where the program writes what it has to say. */
  readonly log: string
  /** Resolves when the program has gone, whoever ended it. */
  readonly exited: Promise<void>
  /** Ends the program as its manual asks, by SIGKILL after a deadline; resolves when it has gone. May be called twice. */
  readonly stop: () => Promise<void>
}

export function part(
  { log, exited, stop }: Pick<Server, 'log' | 'exited' | 'stop'>,
  { url, version }: Pick<Part, 'url' | 'version'>,
): Part {
  return { url, version, log, exited, stop, [Symbol.asyncDispose]: stop }
}
