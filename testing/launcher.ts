import type { BusService, LocalServices } from '#bus'
import type { Environment, LogDestination, ProcessConfig, RunningService } from '#runtime'
import { urlWithUser } from '../deploy/nats/passwords.ts'
import { recordCalls } from './one-process/record-calls.ts'
import { startForTest } from './start-for-test.ts'

/** Starts a service of a stack, which stops with it. */
export type Launch = <C extends ProcessConfig, Exposed>(
  name: string,
  part: { readConfig: (environment: Environment) => C; service: BusService<C, Exposed> },
  environment: Environment,
) => Promise<RunningService<Exposed>>

/** Services that have the same address and state when they start again: the simulator forgets its clients. */
export type RestartableService = 'identity' | 'profile' | 'friendship' | 'events' | 'provider-auth' | 'console'

export interface Launcher {
  readonly launch: Launch
  /** Stops all replicas of a service. They start again at the end of the scope, at the same address. */
  readonly stopService: (name: RestartableService) => Promise<AsyncDisposable>
}

export interface LauncherOptions {
  /** Stops the services at its end. */
  readonly stack: AsyncDisposableStack
  readonly natsUrl: string
  readonly natsPassword: string
  /** Settings of all services. */
  readonly environment: Environment
  readonly log: LogDestination | undefined
  /** If the services call each other directly. */
  readonly localServices: LocalServices | undefined
}

export function createLauncher(options: LauncherOptions): Launcher {
  const { stack, natsUrl, natsPassword, localServices, log } = options
  const runs: { readonly name: string; readonly start: () => Promise<void>; readonly stop: () => Promise<void> }[] = []
  return {
    async launch(name, { readConfig, service }, environment) {
      const part: typeof service = (config, context) =>
        service(config, { ...context, ...(localServices && { localServices: recordCalls(localServices, name) }) })
      const busUrl = urlWithUser(name, natsPassword, natsUrl)
      const settings = { NATS_URL: busUrl, ...options.environment, ...environment }
      const startPart = () => startForTest(name, { readConfig, service: part }, settings, log)
      const first = await startPart()
      let running = first
      const start = async () => {
        running = await startPart()
      }
      const stop = () => running.stop()
      runs.push({ name, start, stop })
      stack.defer(stop)
      return first
    },
    async stopService(name) {
      const stopped = runs.filter((run) => run.name === name)
      await Promise.all(stopped.map(({ stop }) => stop()))
      return { [Symbol.asyncDispose]: async () => void (await Promise.all(stopped.map(({ start }) => start()))) }
    },
  }
}
