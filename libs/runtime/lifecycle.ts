import { setTimeout as delay } from 'node:timers/promises'
import { AggregatorRegistry, Registry } from 'prom-client'
import type { ProcessConfig } from './config.ts'
import { createLogger, type LogDestination, type Logger } from './logger.ts'
import { createGauge } from './metrics/create.ts'
import { openOperationsPort } from './operations-port.ts'
import { createReadiness, type Readiness } from './readiness.ts'
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
  const context = createContext(name, config, logDestination)
  return startTogether(config, [context], () => service(config, context))
}

/** A service's context with its name. */
export interface NamedContext extends ServiceContext {
  readonly name: string
}

export function createContext(
  name: string,
  { LOG_LEVEL }: Pick<ProcessConfig, 'LOG_LEVEL'>,
  logDestination?: LogDestination,
): NamedContext {
  const registry = createRegistry(name)
  createGauge(registry, 'sociallogin_build_info').set({ version }, 1)
  return {
    name,
    logger: createLogger(name, LOG_LEVEL, logDestination),
    registry,
    readiness: createReadiness(),
    stack: new AsyncDisposableStack(),
  }
}

export function createRegistry(name: string): Registry {
  const registry = new Registry()
  registry.setDefaultLabels({ service_name: name })
  return registry
}

/**
 * Starts services in this process, with one operations port. If one cannot start, the resources of all are released before the
 * error is thrown.
 *
 * @param contexts of the services; a service stops after those that follow it in the list
 * @param ofProcess has the metrics of the process itself
 */
export async function startTogether<Exposed>(
  config: ProcessConfig,
  contexts: readonly NamedContext[],
  start: () => Promise<Exposed>,
  ofProcess = new Registry(),
): Promise<RunningService<Exposed>> {
  await using starting = new AsyncDisposableStack()
  const readinesses = contexts.map(({ readiness }) => readiness)
  const registries = contexts.map(({ registry }) => registry)
  const operations = starting.use(
    await openOperationsPort(config, {
      metrics: async () => `${await ofProcess.metrics()}${await metricsOf(registries)}`,
      contentType: ofProcess.contentType,
      hasStarted: () => readinesses.every((readiness) => readiness.hasStarted()),
      missing: () => contexts.flatMap((context) => missingOf(context, contexts.length > 1)),
    }),
  )
  for (const { stack } of contexts) starting.use(stack)
  const exposed = await start()
  for (const { readiness, logger } of contexts) {
    readiness.setPhase('serving')
    logger.info('serving')
  }
  const stack = starting.move()
  return {
    exposed,
    operations_port: operations.port,
    async stop() {
      for (const readiness of readinesses) readiness.setPhase('stopping')
      await delay(config.DRAIN_SECONDS * 1_000)
      await stack.disposeAsync()
      for (const { logger } of contexts) logger.info('stopped')
    },
  }
}

function missingOf({ name, readiness }: NamedContext, isOneOfSeveral: boolean): readonly string[] {
  const missing = readiness.missing()
  return isOneOfSeveral ? missing.map((dependency) => `${dependency} of ${name}`) : missing
}

/** The metrics of services, which are the same ones with other labels. */
async function metricsOf(registries: readonly Registry[]): Promise<string> {
  const [registry, ...others] = registries
  if (registry !== undefined && others.length === 0) return registry.metrics()
  const all = await Promise.all(registries.map((one) => one.getMetricsAsJSON()))
  return AggregatorRegistry.aggregate(all).metrics()
}
