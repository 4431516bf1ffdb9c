import { findFreePort } from '#local'
import type { StartedService } from '../../deploy/local/run-service.ts'
import type { ServiceDescription } from '../../deploy/local/services.ts'
import type { Balancer } from './balancer.ts'

/** Where a service's processes get their callers from. */
export type Face = Pick<Balancer, 'add' | 'remove'>

/** One process of a service. */
export interface Member {
  readonly service: string
  /** Base address of its operations port. */
  readonly operations: string
}

export interface Fleet extends AsyncDisposable {
  readonly launch: (service: ServiceDescription, processes: number) => Promise<void>
  readonly replace: (service: string) => Promise<void>
  readonly members: () => readonly Member[]
}

interface Running extends Member {
  readonly description: ServiceDescription
  readonly process: StartedService
  /** Where it serves behind its face; undefined for services without one. */
  readonly port: number | undefined
}

/** Time between not being ready and stopping, in which a face takes a process out. */
const drainSeconds = 2

/** A Redis that shares its processors with the load generator answers late without being away. */
const redisPatienceMs = 2_000

/** Processes of services, each known to its face while it can serve. */
export function fleetOf(
  start: (description: ServiceDescription) => Promise<StartedService>,
  { faces, interruption }: { faces: ReadonlyMap<string, Face>; interruption: AbortSignal },
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
        // All requests come from this machine.
        LOGINS_PER_ADDRESS: '0',
        MAX_CONNECTIONS_PER_ADDRESS: '0',
      }),
    })
    const { operations } = process
    running.push({ service: description.name, description, process, port, operations })
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
      // Those that are asked last: each finishes what those before it still want.
      for (const service of ['api-gateway', 'provider-auth', undefined]) {
        const leaving = running.filter((one) => service === undefined || one.service === service)
        await Promise.all(leaving.map((one) => one.process.stop()))
      }
    },
  }
}
