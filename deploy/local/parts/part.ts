import type { Server } from './server.ts'

/** A running PostgreSQL, Redis or NATS of our own, listening on 127.0.0.1 alone. */
export interface Part extends AsyncDisposable {
  readonly url: string
  readonly version: string
  /** Where the program writes what it has to say. */
  readonly log: string
  /** Resolves when the program has gone, whoever ended it; `ended` says how: "exit code 1" or "SIGKILL". */
  readonly exited: Promise<void>
  readonly ended: () => string | undefined
  /** Ends the program as its manual asks, by SIGKILL after a deadline; resolves when it has gone. May be called twice. */
  readonly stop: () => Promise<void>
}

export function part(
  { log, exited, ended, stop }: Pick<Server, 'log' | 'exited' | 'ended' | 'stop'>,
  { url, version }: Pick<Part, 'url' | 'version'>,
): Part {
  return { url, version, log, exited, ended, stop, [Symbol.asyncDispose]: stop }
}
