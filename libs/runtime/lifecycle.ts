import { setTimeout as delay } from 'node:timers/promises'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { ConfigError, type Environment, type ProcessConfig } from './config.ts'
import { createLogger, type LogDestination, type Logger } from './logger.ts'
import { createGauge } from './metrics/create.ts'
import { openOperationsPort } from './operations-port.ts'
import { createReadiness, type Readiness } from './readiness.ts'
import { useTracing } from './tracing.ts'
import { version } from './version.ts'

/** What every service is given to live with. What it acquires goes on `stack` and is released in reverse. */
export interface ServiceContext {
  readonly logger: Logger
  readonly registry: Registry
  readonly readiness: Readiness
  readonly stack: AsyncDisposableStack
}

/** Connects a service's parts; resolves when it serves, with what its surroundings may want to know. */
export type Service<C extends ProcessConfig, Exposed> = (config: C, surroundings: ServiceContext) => Promise<Exposed>

export interface RunningService<Exposed> {
  readonly exposed: Exposed
  readonly operations_port: number
  readonly logger: Logger
  /** Not ready → serve on while routes drain → release everything in reverse, finishing what was accepted. */
  readonly stop: () => Promise<void>
}

/**
 * Starts a service in this process. When it cannot start, all it acquired is released before the error is thrown.
 *
 * @param logDestination standard output by default
 */
export async function startProcess<C extends ProcessConfig, Exposed>(
  name: string,
  config: C,
  service: Service<C, Exposed>,
  logDestination?: LogDestination,
): Promise<RunningService<Exposed>> {
  await using starting = new AsyncDisposableStack()
  const logger = createLogger(name, config.LOG_LEVEL, logDestination)
  const registry = new Registry()
  registry.setDefaultLabels({ service_name: name })
  createGauge(registry, 'sociallogin_build_info').set({ version }, 1)
  const readiness = createReadiness()
  const operations = starting.use(await openOperationsPort(config, { registry, readiness }))
  const exposed = await service(config, { logger, registry, readiness, stack: starting })
  readiness.enter('serving')
  const stack = starting.move()
  logger.info('serving')
  return {
    exposed,
    operations_port: operations.port,
    logger,
    async stop() {
      readiness.enter('stopping')
      await delay(config.DRAIN_SECONDS * 1_000)
      await stack.disposeAsync()
      logger.info('stopped')
    },
  }
}

const stopSignals = ['SIGTERM', 'SIGINT'] as const

/** How long a process may take to stop after its drain time, before it is ended. Our choice. */
const stopDeadlineMs = 25_000

/**
 * Runs a service as this process, from reading the environment to the exit: SIGTERM, SIGINT and the end of a parent that
 * holds an IPC channel stop it in order; a second signal or the deadline ends it at once with exit code 1. While it starts,
 * having accepted nothing, a signal ends it at once.
 */
export async function runService<C extends ProcessConfig, Exposed>(
  name: string,
  readConfig: (environment: Environment) => C,
  service: Service<C, Exposed>,
): Promise<void> {
  // As process 1 of a container it would not hear a signal it has no handler for, also while it waits for its schema.
  const leave = () => process.exit(0)
  for (const signal of stopSignals) process.on(signal, leave)

  let running: RunningService<Exposed>
  let config: C
  let tracing: AsyncDisposable
  try {
    config = readConfig(process.env)
    tracing = await openTracing(name, config)
    running = await startProcess(name, config, async (settings, surroundings) => {
      collectDefaultMetrics({ register: surroundings.registry })
      return service(settings, surroundings)
    })
  } catch (error) {
    if (error instanceof ConfigError) process.stderr.write(`${name}: ${error.message}\n`)
    else createLogger(name, 'fatal').fatal({ error }, startFailure(error))
    process.exit(1)
  }

  const { logger, stop } = running
  let stopping = false
  const end = (reason: string, exitCode: number) => {
    if (stopping) process.exit(1)
    stopping = true
    logger.info({ reason }, 'stopping')
    setTimeout(
      () => {
        logger.error('Stopping took too long; what was still running is lost.')
        process.exit(1)
      },
      config.DRAIN_SECONDS * 1_000 + stopDeadlineMs,
    ).unref()
    stop()
      .then(() => tracing[Symbol.asyncDispose]())
      .then(
        () => process.exit(exitCode),
        (error: unknown) => {
          logger.error({ error }, 'stopping failed')
          process.exit(1)
        },
      )
  }
  for (const signal of stopSignals) process.off(signal, leave).on(signal, () => end(signal, 0))
  process.on('disconnect', () => end('the parent is gone', 0))
  process.on('uncaughtException', (error) => {
    logger.fatal({ error }, 'uncaught exception')
    end('uncaught exception', 1)
  })
}

/** Traces go to the collector that is set; where none is, nothing of it is loaded. */
async function openTracing(
  name: string,
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio, LOG_LEVEL }: ProcessConfig,
): Promise<AsyncDisposable> {
  if (endpoint === undefined) return new AsyncDisposableStack()
  const { openTelemetry } = await import('./open-telemetry.ts')
  const logger = createLogger(name, LOG_LEVEL)
  const onLoss = () => logger.warn('Traces could not be exported.')
  return useTracing(openTelemetry(name, { endpoint, ratio, onLoss }))
}

/** The usual reasons why a service cannot start, in words its operator can act on. */
function startFailure(error: unknown): string {
  const code = error instanceof Error ? Reflect.get(error, 'code') : undefined
  if (code === 'EADDRINUSE') return 'A port this service listens on is in use.'
  if (code === 'ECONNREFUSED') return 'Postgres, Redis or NATS is not reachable at the configured address.'
  return 'The service cannot start.'
}
