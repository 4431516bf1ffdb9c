import type { StartedService } from '../../deploy/local/run-service.ts'

/** A process that is started again as soon as it ends, as Kubernetes does. */
export interface SupervisedService extends AsyncDisposable {
  readonly name: string
  /** The address of the current process's operations port. */
  readonly operations: () => string
  /** The current process's ID. */
  readonly pid: () => number
  readonly kill: () => void
  /** Sends a signal to the current process. */
  readonly signal: (signal: NodeJS.Signals) => void
  /** Resolves when the current process is ready. */
  readonly ready: () => Promise<void>
  /** How many times it was started again. */
  readonly restarts: () => number
}

export async function startSupervised(
  start: () => Promise<StartedService>,
  interruption: AbortSignal,
): Promise<SupervisedService> {
  let current = await start()
  let restarts = 0
  let isStopping = false
  /** The process that serves after the last end, as soon as it is started. */
  let starting = Promise.resolve(current)

  const watch = (watched: StartedService) => {
    starting = Promise.resolve(watched)
    void watched.exited.then(async () => {
      if (isStopping) return
      restarts++
      const next = start()
      starting = next
      current = await next
      watch(current)
    })
  }
  watch(current)

  return {
    name: current.name,
    operations: () => current.operations,
    pid: () => current.pid,
    kill: () => void process.kill(current.pid, 'SIGKILL'),
    signal: (signal) => void process.kill(current.pid, signal),
    async ready() {
      // A killed process is replaced after its end was noticed.
      for (;;) {
        const service = await starting
        if (service.ended() === undefined) {
          try {
            await service.ready(interruption)
            return
          } catch (error) {
            if (service.ended() === undefined) throw error
          }
        }
        interruption.throwIfAborted()
        await service.exited
      }
    },
    restarts: () => restarts,
    async [Symbol.asyncDispose]() {
      isStopping = true
      await (await starting).stop()
    },
  }
}
