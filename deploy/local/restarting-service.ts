import { dirname } from 'node:path'
import { SetupError } from '#local'
import { isStale } from '../../services/console/web/build.ts'
import { buildConsole, type StartedService, type StartOptions, startService } from './run-service.ts'
import type { ServiceDescription } from './services.ts'
import { watchSources } from './watch-sources.ts'

/**
 * Starts a service that restarts when its sources or the libraries change, for `npm run dev`. A service that fails stays
 * stopped until the next change.
 */
export async function startRestartingService(
  service: ServiceDescription,
  options: StartOptions & { readonly interruption: AbortSignal },
): Promise<StartedService> {
  let current = await startService(service, options)
  let restarting = Promise.resolve()
  const stopped = Promise.withResolvers<void>()
  const report = (text: string) => process.stdout.write(`${service.name}: ${text}\n`)

  let stopping = false
  /** Reports an end from now on. An end before the service is ready rejects instead. */
  const waitUntilReady = async (started: StartedService, signal: AbortSignal) => {
    await started.ready(signal)
    void started.exited.then(() => started === current && !stopping && report(`ended with ${started.ended()}`))
  }

  const restart = async (path: string) => {
    report(`${path} changed, restarting`)
    stopping = true
    await current.stop()
    stopping = false
    try {
      if (service.name === 'console' && isStale()) await buildConsole({ ...options, signal: options.interruption })
      current = await startService(service, options)
      await waitUntilReady(current, options.interruption)
      report('ready')
    } catch (error) {
      if (options.interruption.aborted) return
      if (!(error instanceof SetupError)) throw error
      report(error.message)
    }
  }
  const watcher = watchSources(['libs', dirname(service.script)], (path) => {
    restarting = restarting.then(() => restart(path))
  })
  return {
    ...current,
    ready: (signal) => waitUntilReady(current, signal),
    exited: stopped.promise,
    async stop() {
      watcher[Symbol.dispose]()
      await restarting
      stopping = true
      await current.stop()
      stopped.resolve()
    },
  }
}
