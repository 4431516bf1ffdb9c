import { findFreePort } from '#local'
import type { Environment } from '#runtime'
import type { StartedService } from '../../../deploy/local/run-service.ts'
import type { ServiceDescription } from '../../../deploy/local/services.ts'
import type { Balancer } from './balancer.ts'

/** The balancer in front of a service's processes. */
export type ServiceAddress = Pick<Balancer, 'add' | 'remove'>

/** One process of a service. */
export interface FleetProcess {
  readonly service: string
  readonly pid: number
  /** Base address of its operations port. */
  readonly operations: string
  /** Its own base address without the balancer; undefined for services without one. */
  readonly address: string | undefined
}

export interface Fleet extends AsyncDisposable {
  readonly launch: (service: ServiceDescription, processes: number) => Promise<void>
  readonly replace: (service: string) => Promise<void>
  readonly members: () => readonly FleetProcess[]
}

interface Running extends FleetProcess {
  readonly description: ServiceDescription
  readonly process: StartedService
  /** Its port behind the balancer; undefined for services without one. */
  readonly port: number | undefined
}

/** Time between not being ready and stopping, in which the balancer removes a process. */
const drainSeconds = 2

/** Redis shares the CPU with the load generator, so slow replies must not count as an outage. */
const redisPatienceMs = 2_000

/** Processes of services, each registered at its balancer while it is ready. */
export function createFleet(
  start: (description: ServiceDescription) => Promise<StartedService>,
  {
    faces,
    interruption,
    environment = {},
  }: {
    faces: ReadonlyMap<string, ServiceAddress>
    interruption: AbortSignal
    /** Added to the environment of every process. */
    environment?: Environment
  },
): Fleet {
  let running: Running[] = []
  let started = 0

  const launchOne = async (description: ServiceDescription): Promise<void> => {
    const face = faces.get(description.name)
    const port = face && (await findFreePort())
    const process = await start({
      ...description,
      name: `${description.name}-${++started}`,
      environment: (wiring) => ({
        ...description.environment(wiring),
        ...(port !== undefined && { PORT: String(port) }),
        DRAIN_SECONDS: String(drainSeconds),
        RATE_TIMEOUT_MS: String(redisPatienceMs),
        // All requests have the same source address.
        LOGINS_PER_ADDRESS: '0',
        MAX_CONNECTIONS_PER_ADDRESS: '0',
        ...environment,
      }),
    })
    const { operations, pid } = process
    const address = port === undefined ? undefined : `http://127.0.0.1:${port}`
    running.push({ service: description.name, description, process, port, operations, pid, address })
    await process.ready(interruption)
    if (port !== undefined) face?.add(port)
  }

  const retire = async ({ service, process, port }: Running): Promise<void> => {
    if (port !== undefined) faces.get(service)?.remove(port)
    running = running.filter((other) => other.process !== process)
    await process.stop()
  }

  return {
    async launch(description, processes) {
      await Promise.all(Array.from({ length: processes }, () => launchOne(description)))
    },
    async replace(service) {
      for (const member of running.filter((one) => one.service === service)) {
        await launchOne(member.description)
        await retire(member)
      }
    },
    members: () => running,
    async [Symbol.asyncDispose]() {
      // In this order, each service stops after its callers.
      for (const service of ['api-gateway', 'provider-auth', undefined]) {
        const stopping = running.filter((one) => service === undefined || one.service === service)
        await Promise.all(stopping.map((one) => one.process.stop()))
      }
    },
  }
}
