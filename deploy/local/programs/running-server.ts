import type { ServerProcess } from './server.ts'

/** A PostgreSQL, Redis or NATS process that listens on 127.0.0.1 only. */
export interface RunningServer extends AsyncDisposable {
  readonly url: string
  readonly version: string
  /** Log file. */
  readonly log: string
  /** Resolves when the program has ended; `ended` returns how: "exit code 1" or "SIGKILL". */
  readonly exited: Promise<void>
  readonly ended: () => string | undefined
  /** Stops the program by its documented signal, or by SIGKILL after a deadline. Can be called twice. */
  readonly stop: () => Promise<void>
}

export function toRunningServer(
  { log, exited, ended, stop }: Pick<ServerProcess, 'log' | 'exited' | 'ended' | 'stop'>,
  { url, version }: Pick<RunningServer, 'url' | 'version'>,
): RunningServer {
  return { url, version, log, exited, ended, stop, [Symbol.asyncDispose]: stop }
}
