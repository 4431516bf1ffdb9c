import { collectDefaultMetrics } from 'prom-client'
import {
  ConfigError,
  type ConfigReader,
  configReader,
  type Environment,
  type ProcessConfig,
  processSettings,
} from './config.ts'
import {
  createContext,
  createRegistry,
  type RunningService,
  type Service,
  type ServiceContext,
  startTogether,
} from './lifecycle.ts'
import { createLogger } from './logger.ts'
import { enableTracing } from './tracing.ts'
import { UnusableServerError } from './unusable-server.ts'

const stopSignals = ['SIGTERM', 'SIGINT'] as const

/** How long a process may take to stop after its drain time before it exits. Our choice. */
const stopDeadlineMs = 25_000
/** How often the lag of the event loop is measured. The default (10 ms) takes a third of the CPU time of an idle process. */
const eventLoopCheckMs = 50

/** Runs a service as this process. */
export async function runService<C extends ProcessConfig>(
  name: string,
  readConfig: ConfigReader<C>,
  service: Service<C, unknown>,
): Promise<void> {
  await runProcess(name, (environment) => {
    const config = readConfig(environment)
    const context = createContext(name, config)
    return { config, contexts: [context], start: () => service(config, context) }
  })
}

/** A service as a part of a process. */
export interface ServiceProgram {
  readonly name: string
  readonly settings: readonly string[]
  /** Reads the settings. @throws ConfigError */
  readonly prepare: (environment: Environment) => PreparedService
}

interface PreparedService {
  readonly config: ProcessConfig
  readonly start: (context: ServiceContext) => Promise<unknown>
}

export function defineProgram<C extends ProcessConfig>(
  name: string,
  readConfig: ConfigReader<C>,
  service: Service<C, unknown>,
): ServiceProgram {
  return {
    name,
    settings: readConfig.settings,
    prepare(environment) {
      const config = readConfig(environment)
      return { config, start: (context) => service(config, context) }
    },
  }
}

const readProcessConfig = configReader(processSettings)

/**
 * Runs several services as one process. A service's settings can have its name as a prefix, as in `IDENTITY_DATABASE_URL`; they
 * take precedence over those without, which are for all services.
 *
 * @param programs each before its callers, so that it stops after them
 */
export async function runServices(name: string, programs: readonly ServiceProgram[]): Promise<void> {
  await runProcess(name, (environment) => {
    const config = readProcessConfig(environment)
    const parts = prepareAll(programs, environment).map(({ name, config, start }) => {
      const context = createContext(name, config)
      return { context, start: () => start(context) }
    })
    return {
      config,
      contexts: parts.map(({ context }) => context),
      start: () => Promise.all(parts.map(({ start }) => start())),
    }
  })
}

/** @throws ConfigError with the problems of all services */
function prepareAll(programs: readonly ServiceProgram[], environment: Environment) {
  const problems: string[] = []
  const prepared = programs.flatMap(({ name, settings, prepare }) => {
    try {
      return [{ name, ...prepare(selectSettings(environment, name, settings)) }]
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      problems.push(...error.problems.map((problem) => `${settingPrefix(name)}${problem}`))
      return []
    }
  })
  if (problems.length > 0) throw new ConfigError(problems)
  return prepared
}

function selectSettings(environment: Environment, service: string, settings: readonly string[]): Environment {
  return Object.fromEntries(
    settings.map((setting) => [setting, environment[`${settingPrefix(service)}${setting}`] || environment[setting]]),
  )
}

/** What the names of a service's settings begin with in a process of several services. */
export function settingPrefix(service: string): string {
  return `${service.toUpperCase().replaceAll('-', '_')}_`
}

interface PreparedProcess {
  readonly config: ProcessConfig
  readonly contexts: Parameters<typeof startTogether>[1]
  readonly start: () => Promise<unknown>
}

/**
 * Runs services as this process, from reading the environment to the exit. SIGTERM, SIGINT and the end of a parent with an
 * IPC channel stop it gracefully; a second signal or the deadline ends it immediately with exit code 1. While it starts, it
 * has accepted nothing, so a signal ends it immediately.
 */
async function runProcess(name: string, prepare: (environment: Environment) => PreparedProcess): Promise<void> {
  // Process 1 of a container ignores signals without a handler, for example while it waits for its schema.
  const exitNow = () => process.exit(0)
  for (const signal of stopSignals) process.on(signal, exitNow)

  let running: RunningService<unknown>
  let config: ProcessConfig
  let tracing: AsyncDisposable
  try {
    const prepared = prepare(process.env)
    config = prepared.config
    tracing = await openTracing(name, config)
    const ofProcess = createRegistry(name)
    collectDefaultMetrics({ register: ofProcess, eventLoopMonitoringPrecision: eventLoopCheckMs })
    running = await startTogether(config, prepared.contexts, prepared.start, ofProcess)
  } catch (error) {
    if (error instanceof ConfigError) process.stderr.write(`${name}: ${error.message}\n`)
    else createLogger(name, 'fatal').fatal({ error }, describeStartFailure(error))
    process.exit(1)
  }

  const { stop } = running
  const logger = createLogger(name, config.LOG_LEVEL)
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
  if (error instanceof UnusableServerError) return `the service cannot start: ${error.message}`
  return 'the service cannot start'
}
