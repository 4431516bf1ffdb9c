import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '#local'
import type { Environment } from '#runtime'
import { toBuilt } from '../../../deploy/build/to-built.ts'
import type { Paths } from '../../../deploy/local/paths.ts'
import type { Step } from '../../../deploy/local/progress.ts'
import { startService } from '../../../deploy/local/run-service.ts'
import type { Secrets } from '../../../deploy/local/secrets.ts'
import { type ServiceDescription, services } from '../../../deploy/local/services.ts'
import type { Wiring } from '../../../deploy/local/wiring.ts'
import { type FaultProxy, startFaultProxy } from '../../../testing/fault-proxy.ts'
import { startBalancer } from '../../toolkit/stack/balancer.ts'
import { buildServices } from '../../toolkit/stack/build-services.ts'
import type { ServerName } from '../../toolkit/stack/server-pids.ts'
import { type Databases, openDatabases } from '../stack.ts'
import { type SupervisedService, startSupervised } from '../supervised-service.ts'
import { followReadiness } from './follow-readiness.ts'
import { type ProviderFront, startProviderFront } from './provider-front.ts'

/** A process of a service and the proxies through which it reaches its servers. */
export interface Replica extends SupervisedService {
  readonly service: string
  /** The port behind the balancer; unused by services without a public port. */
  readonly port: number
  readonly proxies: Readonly<Partial<Record<ServerName, FaultProxy>>>
}

/** Several processes of each service, behind balancers. */
export interface ServiceReplicas extends AsyncDisposable {
  readonly paths: Paths
  readonly wiring: Wiring
  readonly secrets: Secrets
  readonly replicas: readonly Replica[]
  readonly providers: ProviderFront
  readonly databases: Databases
  readonly interruption: AbortSignal
}

const replicasOf: Readonly<Record<string, number>> = { 'api-gateway': 3, 'provider-simulator': 1 }
const usualReplicas = 2

/** Services with a public port, which is their balancer's. */
const publicPorts = { 'api-gateway': 'web_api', 'provider-auth': 'auth', console: 'console' } as const

/** Longer than a balancer needs to notice that a process is not ready. */
const drainSeconds = 2

const serverVariables = { postgres: 'DATABASE_URL', nats: 'NATS_URL', redis: 'REDIS_URL' } as const

/** How the processes start. */
export interface ReplicasOptions {
  readonly step: Step
  readonly interruption: AbortSignal
  /** Whether processes reach their servers through proxies, which cost time of the test's process. */
  readonly proxied?: boolean
  /** Further variables of a service's processes. */
  readonly environmentOf?: (service: string) => Environment
}

interface Infrastructure {
  readonly wiring: Wiring
  readonly paths: Paths
  readonly secrets: Secrets
}

export async function startReplicas(
  { wiring, paths, secrets }: Infrastructure,
  { step, interruption, proxied = true, environmentOf = () => ({}) }: ReplicasOptions,
): Promise<ServiceReplicas> {
  await using starting = new AsyncDisposableStack()
  const replicas: Replica[] = []
  const built = await buildServices(paths.directory, step)
  const simulatorPort = await findFreePort()
  const providers = starting.use(await startProviderFront(wiring.ports.simulator, simulatorPort))
  await step('Services', async (note) => {
    for (const service of services.flat()) {
      const count = replicasOf[service.name] ?? usualReplicas
      note(`${count} × ${service.name}`)
      const portOf = () => (service.name === 'provider-simulator' ? simulatorPort : findFreePort())
      const started = await Promise.all(
        Array.from({ length: count }, async (_, index) =>
          startReplica(toBuilt(service, built), {
            index: index + 1,
            port: await portOf(),
            proxied,
            extra: environmentOf(service.name),
            wiring,
            paths,
            interruption,
          }),
        ),
      )
      replicas.push(...started)
      // Together, because each serves for its drain time.
      starting.defer(async () => {
        await Promise.all(started.map((replica) => replica[Symbol.asyncDispose]()))
      })
      await Promise.all(started.map((replica) => replica.ready()))
      const publicPort = publicPorts[service.name as keyof typeof publicPorts]
      if (publicPort === undefined) continue
      const balancer = starting.use(await startBalancer(wiring.ports[publicPort]))
      starting.use(await followReadiness(balancer, started))
    }
    note(`${replicas.length} processes`)
  })
  const databases = starting.use(openDatabases(wiring))
  const stack = starting.move()
  return {
    paths,
    wiring,
    secrets,
    replicas,
    providers,
    databases,
    interruption,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

interface ReplicaOptions {
  readonly index: number
  readonly port: number
  readonly proxied: boolean
  readonly extra: Environment
  readonly wiring: Wiring
  readonly paths: Paths
  readonly interruption: AbortSignal
}

async function startReplica(
  service: ServiceDescription,
  { index, port, proxied, extra, wiring, paths, interruption }: ReplicaOptions,
): Promise<Replica> {
  await using starting = new AsyncDisposableStack()
  const proxies: Partial<Record<ServerName, FaultProxy>> = {}
  const environment = service.environment(wiring)
  for (const name of ['postgres', 'nats', 'redis'] as const) {
    const url = environment[serverVariables[name]]
    if (proxied && url !== undefined) proxies[name] = starting.use(await startFaultProxy(url))
  }
  const description: ServiceDescription = {
    ...service,
    name: `${service.name}-${index}`,
    environment: (own) => ({
      ...service.environment(own),
      ...extra,
      ...Object.fromEntries(
        Object.entries(proxies).map(([name, proxy]) => [serverVariables[name as ServerName], proxy.url]),
      ),
      PORT: String(port),
      DRAIN_SECONDS: String(drainSeconds),
      // All clients have the same source address.
      LOGINS_PER_ADDRESS: '0',
      MAX_CONNECTIONS_PER_ADDRESS: '0',
    }),
  }
  const supervised = starting.use(
    await startSupervised(() => startService(description, { wiring, paths }), interruption),
  )
  const stack = starting.move()
  return { ...supervised, service: service.name, port, proxies, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

/** Ends a process gracefully, as a rolling update does, and resolves when its successor is ready. */
export async function restartGracefully(replica: Replica): Promise<void> {
  const before = replica.restarts()
  replica.signal('SIGTERM')
  while (replica.restarts() === before) await sleep(50)
  await replica.ready()
}
