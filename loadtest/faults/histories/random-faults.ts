import { setTimeout as sleep } from 'node:timers/promises'
import type { ReplicatedStack } from '../replicas/replicated-stack.ts'
import type { Replica } from '../replicas/service-replicas.ts'

/** A short fault: resolves when it is over. */
interface ShortFault {
  readonly name: string
  readonly cause: (stack: ReplicatedStack) => Promise<void> | void
}

export interface RandomFaults extends AsyncDisposable {
  /** How many times each fault was caused. */
  readonly counts: ReadonlyMap<string, number>
}

const shortestPauseMs = 500
const longestPauseMs = 2_500
/** Shorter and longer than a first attempt. */
const shortestSilenceMs = 200
const longestSilenceMs = 3_000

const faults: readonly ShortFault[] = [
  ...['api-gateway', 'identity', 'profile', 'provider-auth'].map(
    (service): ShortFault => ({
      name: `${service} killed`,
      cause: ({ replicas }) => pick(replicas.filter((one) => one.service === service)).kill(),
    }),
  ),
  { name: 'process stopped', cause: ({ replicas }) => stopProcess(pick(replicas.filter(isOfProduct))) },
  {
    name: 'Postgres connections cut',
    cause: ({ replicas }) => pick(replicas.filter(hasPostgres)).proxies.postgres?.cut(),
  },
  { name: 'NATS connection cut', cause: ({ replicas }) => pick(replicas.filter(isOfProduct)).proxies.nats?.cut() },
  { name: 'Postgres stopped', cause: ({ servers }) => freeze(servers.postgres) },
  { name: 'NATS killed', cause: ({ servers }) => restart(servers.nats) },
  { name: 'Postgres killed', cause: ({ servers }) => restart(servers.postgres) },
  { name: 'Redis killed', cause: ({ servers }) => restart(servers.redis) },
]

function isOfProduct({ service }: Replica): boolean {
  return service !== 'provider-simulator'
}

function hasPostgres({ proxies }: Replica): boolean {
  return proxies.postgres !== undefined
}

function pick<T>(values: readonly T[]): T {
  const value = values[Math.floor(Math.random() * values.length)]
  if (value === undefined) throw new Error('There is nothing to pick from.')
  return value
}

function between(least: number, most: number): number {
  return least + Math.random() * (most - least)
}

async function stopProcess(replica: Replica): Promise<void> {
  replica.signal('SIGSTOP')
  await sleep(between(shortestSilenceMs, longestSilenceMs))
  replica.signal('SIGCONT')
}

async function freeze(server: ReplicatedStack['servers']['postgres']): Promise<void> {
  server.freeze()
  await sleep(between(shortestSilenceMs, longestSilenceMs))
  server.thaw()
}

async function restart(server: ReplicatedStack['servers']['postgres']): Promise<void> {
  await server.kill()
  await server.start()
}

/** Causes random faults one after another until it is disposed of, which resolves when everything is ready again. */
export function startRandomFaults(stack: ReplicatedStack): RandomFaults {
  const counts = new Map<string, number>()
  const stopping = new AbortController()
  const running = (async () => {
    while (!stopping.signal.aborted) {
      const fault = pick(faults)
      await fault.cause(stack)
      counts.set(fault.name, (counts.get(fault.name) ?? 0) + 1)
      await sleep(between(shortestPauseMs, longestPauseMs))
    }
  })()
  return {
    counts,
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await running
      for (const replica of stack.replicas) await replica.ready()
    },
  }
}
