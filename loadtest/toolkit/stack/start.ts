import { join } from 'node:path'
import { type RunningServer, startRedis } from '#local'
import type { Environment } from '#runtime'
import { toBuilt } from '../../../deploy/build/to-built.ts'
import { findPublicPorts } from '../../../deploy/local/find-public-ports.ts'
import { createPaths } from '../../../deploy/local/paths.ts'
import type { Step } from '../../../deploy/local/progress.ts'
import { type StartedService, startService } from '../../../deploy/local/run-service.ts'
import type { Secrets } from '../../../deploy/local/secrets.ts'
import { allInOne, type ServiceDescription, services } from '../../../deploy/local/services.ts'
import { readSettings } from '../../../deploy/local/settings.ts'
import { supervise } from '../../../deploy/local/supervise.ts'
import type { Wiring } from '../../../deploy/local/wiring.ts'
import { startBalancer } from './balancer.ts'
import { buildServices } from './build-services.ts'
import { createFleet, type FleetProcess, type ServiceAddress } from './fleet.ts'
import { type StackPostgres, startInfrastructureOn, startStackPostgres } from './stack-postgres.ts'

/** The product as in a cluster, on this machine: each service in its own process from its bundle, several gateways behind one address. */
export interface LoadTestStack extends AsyncDisposable {
  readonly wiring: Wiring
  readonly secrets: Secrets
  /** Directory of the programs that run, as the image has them. */
  readonly built: string
  /** Starts one more process, which is not behind a balancer, and which the caller stops. */
  readonly start: (service: ServiceDescription) => Promise<StartedService>
  /** All running processes that the stack has started. */
  readonly members: () => readonly FleetProcess[]
  /** Replaces the processes of a service one after another: starts a new one, and stops the old one when it serves. */
  readonly replace: (service: string) => Promise<void>
  readonly postgres: StackPostgres
  readonly redis: { readonly stop: () => Promise<void>; readonly start: () => Promise<void> }
}

/** What is replaced one after another by a rollout, in the order of a release. */
export const replaceable = ['identity', 'profile', 'friendship', 'events', 'provider-auth', 'api-gateway'] as const

export interface LoadTestStackOptions {
  readonly gateways: number
  /** Processes by service; 1 by default. */
  readonly replicas?: Readonly<Record<string, number>>
  /** Added to the environment of every service. */
  readonly environment?: Environment
  /** Whether one process runs all services. Default: each has its own. */
  readonly oneProcess?: boolean
  /** Whether its databases are distributed with Citus. Default: whether `TEST_POSTGRES` says so. */
  readonly citus?: boolean | undefined
  readonly step: Step
  readonly interruption: AbortSignal
}

export async function startLoadTestStack(
  directory: string,
  { gateways, replicas = {}, environment = {}, oneProcess = false, citus, step, interruption }: LoadTestStackOptions,
): Promise<LoadTestStack> {
  await using starting = new AsyncDisposableStack()
  const built = await buildServices(directory, step)
  const postgres = starting.use(await startStackPostgres(directory, citus === undefined ? {} : { citus }))
  const redis = starting.use(await startStoppableRedis(join(directory, 'redis')))
  const settings = readSettings({
    ...(await findPublicPorts()),
    LOCAL_DIRECTORY: directory,
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
  })
  const places = createPaths(directory)
  const supervision = supervise(starting)
  const options = { supervision, step, interruption }
  const { wiring, secrets } = await startInfrastructureOn(postgres, [settings, places, options])

  const publicServices = oneProcess ? new Map<string, ServiceAddress>() : await startBalancers(wiring, starting)
  const start = (description: ServiceDescription) =>
    startService(toBuilt(description, built), { wiring, paths: places })
  const fleet = starting.use(
    createFleet(start, {
      faces: publicServices,
      interruption,
      environment,
    }),
  )
  const processes: Readonly<Record<string, number>> = { ...replicas, 'api-gateway': gateways }
  await step('Services', async (note) => {
    for (const row of oneProcess ? [[allInOne, ...simulators]] : services) {
      note(row.map(({ name }) => name).join(', '))
      await Promise.all(row.map((service) => fleet.launch(service, processes[service.name] ?? 1)))
    }
    note(`${fleet.members().length} processes`)
  })
  const stack = starting.move()
  return {
    wiring,
    secrets,
    postgres,
    redis,
    built,
    start,
    members: fleet.members,
    replace: fleet.replace,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

const simulators = services.flat().filter(({ name }) => name === 'provider-simulator')

async function startBalancers(
  { ports }: Wiring,
  stack: AsyncDisposableStack,
): Promise<ReadonlyMap<string, ServiceAddress>> {
  return new Map([
    ['api-gateway', stack.use(await startBalancer(ports.web_api))],
    ['provider-auth', stack.use(await startBalancer(ports.auth))],
  ])
}

/** Restarts at the same address, without data. */
async function startStoppableRedis(directory: string) {
  let redis: RunningServer = await startRedis({ directory, durable: false })
  const { url } = redis
  return {
    url,
    stop: () => redis.stop(),
    async start() {
      redis = await startRedis({ directory, durable: false, port: Number(new URL(url).port) })
    },
    [Symbol.asyncDispose]: () => redis.stop(),
  }
}
