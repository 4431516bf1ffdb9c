import { setTimeout as sleep } from 'node:timers/promises'
import type { DependencyFault } from '../dependencies/dependency-faults.ts'
import { areAllConnected } from '../failovers/are-all-connected.ts'
import { type ReadReplicaStack, replicaReaders } from './read-replica-stack.ts'

type ReplicaFault = DependencyFault<ReadReplicaStack>

const usable = /^sociallogin_database_replica_usable(?:\{[^}]*\})? (\d+)$/m
const reads = /^sociallogin_stale_reads_total\{[^}]*outcome="replica"[^}]*\} (\d+)$/m
const pollMs = 100
/** How long the traffic may take to read from the replica, and services to use it again. */
const patienceMs = 60_000

/** The primary serves what the replica would have served, so no request may fail. */
export const readReplicaFaults: readonly ReplicaFault[] = [
  createFault('replica_killed', {
    begin: ({ postgres }) => postgres.replica.kill(),
    end: ({ postgres }) => postgres.replica.start(),
  }),
  createFault('replica_stopped', {
    begin: ({ postgres }) => postgres.replica.freeze(),
    end: ({ postgres }) => postgres.replica.thaw(),
  }),
  createFault('replica_lagging', {
    begin: ({ postgres }) => postgres.pauseReplay(),
    end: ({ postgres }) => postgres.resumeReplay(),
  }),
]

function createFault(name: string, { begin, end }: Pick<ReplicaFault, 'begin' | 'end'>): ReplicaFault {
  return {
    name,
    extent: 'failover',
    staysReady: true,
    concerns: 'none',
    isRestored: areAllConnected,
    async begin(stack, site) {
      const before = await sumOf(stack, reads)
      // Otherwise the fault would meet no request.
      if (!(await becomes(async () => (await sumOf(stack, reads)) > before)))
        throw new Error('The traffic does not read from the replica.')
      await begin(stack, site)
    },
    end,
    async settle(stack) {
      const processes = stack.replicas.filter(({ service }) => replicaReaders.includes(service)).length
      const isUsed = await becomes(async () => (await sumOf(stack, usable)) === processes)
      return isUsed ? [] : ['not every process uses the replica again']
    },
  }
}

async function becomes(isTrue: () => Promise<boolean>): Promise<boolean> {
  for (const until = performance.now() + patienceMs; performance.now() < until; await sleep(pollMs))
    if (await isTrue()) return true
  return false
}

/** The sum of a metric over all processes that read from the replica. */
async function sumOf({ replicas }: ReadReplicaStack, metric: RegExp): Promise<number> {
  const readers = replicas.filter(({ service }) => replicaReaders.includes(service))
  const values = await Promise.all(
    readers.map(async ({ operations }) => {
      const text = await (await fetch(`${operations()}/metrics`)).text()
      return Number(metric.exec(text)?.[1] ?? 0)
    }),
  )
  return values.reduce((sum, value) => sum + value, 0)
}
