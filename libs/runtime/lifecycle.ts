import { setTimeout as delay } from 'node:timers/promises'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { ConfigError, type Environment, type ProcessConfig } from './config.ts'
import { createLogger, type LogDestination, type Logger } from './logger.ts'
import { createGauge } from './metrics/create.ts'
import { openOperationsPort } from './operations-port.ts'
import { createReadiness, type Readiness } from './readiness.ts'
import { enableTracing } from './tracing.ts'
import { version } from './version.ts'

/** The environment of every service. A service adds its resources to `stack`, which releases them in reverse order. */
export interface ServiceContext {
  readonly logger: Logger
  readonly registry: Registry
  readonly readiness: Readiness
  readonly stack: AsyncDisposableStack
}

/** Starts a service; resolves when it serves, with values for the caller, such as its port. */
export type Service<C extends ProcessConfig, Exposed> = (config: C, context: ServiceContext) => Promise<Exposed>

export interface RunningService<Exposed> {
  readonly exposed: Exposed
  readonly operations_port: number
  readonly logger: Logger
  /** Not ready → serves while load balancers drain → releases all resources in reverse, finishing accepted requests. */
  readonly stop: () => Promise<void>
}

/**
 * Starts a service in this process. If it cannot start, its resources are released before the error is thrown.
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
  readiness.setPhase('serving')
  const stack = starting.move()
  logger.info('serving')
  return {
    exposed,
    operations_port: operations.port,
    logger,
    async stop() {
      readiness.setPhase('stopping')
      await delay(config.DRAIN_SECONDS * 1_000)
      await stack.disposeAsync()
      logger.info('stopped')
    },
  }
}

const stopSignals = ['SIGTERM', 'SIGINT'] as const

/** How long a process may take to stop after its drain time before it exits. Our choice. */
const stopDeadlineMs = 25_000

/**
 * Runs a service as this process, from reading the environment to the exit. SIGTERM, SIGINT and the end of a parent with an
 * IPC channel stop it gracefully; a second signal or the deadline ends it immediately with exit code 1. While it starts, it
 * has accepted nothing, so a signal ends it immediately.
 */
export async function runService<C extends ProcessConfig, Exposed>(
  name: string,
  readConfig: (environment: Environment) => C,
  service: Service<C, Exposed>,
): Promise<void> {
  // Process 1 of a container ignores signals without a handler, for example while it waits for its schema.
  const exitNow = () => process.exit(0)
  for (const signal of stopSignals) process.on(signal, exitNow)

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
    else createLogger(name, 'fatal').fatal({ error }, describeStartFailure(error))
    process.exit(1)
  }

  const { logger, stop } = running
  let stopping = false
  const stopProcess = (reason: string, exitCode: number) => {
    if (stopping) process.exit(1)
    stopping = true
    logger.info({ reason }, 'stopping')
    setTimeout(
      () => {
        logger.error('stopping took too long; running requests are aborted')
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
  for (const signal of stopSignals) process.off(signal, exitNow).on(signal, () => stopProcess(signal, 0))
  process.on('disconnect', () => stopProcess('the parent process ended', 0))
  process.on('uncaughtException', (error) => {
    logger.fatal({ error }, 'uncaught exception')
    stopProcess('uncaught exception', 1)
  })
}

/** Exports traces to the configured collector. Without one, OpenTelemetry is not loaded. */
async function openTracing(
  name: string,
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio, LOG_LEVEL }: ProcessConfig,
): Promise<AsyncDisposable> {
  if (endpoint === undefined) return new AsyncDisposableStack()
  const { openTelemetry } = await import('./open-telemetry.ts')
  const logger = createLogger(name, LOG_LEVEL)
  const onLoss = () => logger.warn('traces not exported; check the OTLP collector')
  return enableTracing(openTelemetry(name, { endpoint, ratio, onLoss }))
}

/** Common reasons why a service cannot start, for operators. */
function describeStartFailure(error: unknown): string {
  const code = error instanceof Error ? Reflect.get(error, 'code') : undefined
  if (code === 'EADDRINUSE') return 'the service cannot start: a port is already in use'
  if (code === 'ECONNREFUSED')
    return 'the service cannot start: Postgres, Redis or NATS is unreachable at the configured address'
  return 'the service cannot start'
}
