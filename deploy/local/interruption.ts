import { killAll } from '#local'

/** One press of Ctrl-C arrives several times: from the terminal, from npm, and from run.js. */
const samePressMs = 1_000

/**
 * A signal that aborts when this process receives a stop signal or its parent is killed. A second stop signal kills all
 * children and ends the process.
 */
export function listenForInterruption(): AbortSignal {
  const controller = new AbortController()
  let firstAt: number | undefined
  const stop = () => {
    firstAt ??= performance.now()
    controller.abort()
    if (performance.now() - firstAt < samePressMs) return
    killAll()
    process.exit(130)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  if (process.connected) process.once('disconnect', stop)
  process.stdout.on('error', stop) // the terminal or the pipe that was read from has gone
  return controller.signal
}

/** Rejects with the reason of the signal when it aborts. */
export function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort)
  })
}
