import type { Registry } from 'prom-client'
import { ConfigError, createCounter, createGauge, type DatabaseConfig, type Logger, splitPostgresUrl } from '#runtime'
import type { Database } from './connect.ts'
import { isDistributed } from './distribution.ts'
import { openReadReplica, type ReadReplica } from './read-replica.ts'
import { createStatementRecorder, recordStatementMetrics } from './statement-metrics.ts'

/** Why a read that may be stale was answered by the primary. */
type PrimaryReason = 'recent' | 'lagging' | 'unavailable' | 'promoted' | 'foreign' | 'canceled' | 'failed'

/** The replica for a read, or why there is none. */
type ReplicaChoice =
  | { readonly replica: ReadReplica; readonly freshAt: number }
  | { readonly replica?: undefined; readonly reason: PrimaryReason }

/** The replicas of a service's database. */
export interface ReadReplicas extends AsyncDisposable {
  /** Chooses a replica whose data is at most so old. */
  readonly choose: (maxAgeMs: number) => ReplicaChoice
  /** Counts who served a read that may be stale. */
  readonly count: (outcome: 'replica' | PrimaryReason) => void
}

interface ReplicasOptions {
  readonly name: string
  readonly logger: Logger
  readonly registry?: Registry
}

const defaultMaxAgeSeconds = 5

/**
 * Opens the replicas of `DATABASE_REPLICA_URL`; undefined without. None of them has to be available.
 *
 * @throws ConfigError if the tables are distributed
 */
export function openReadReplicas(
  config: DatabaseConfig,
  { knex, reader }: Pick<Database, 'knex' | 'reader'>,
  { name, logger, registry }: ReplicasOptions,
): ReadReplicas | undefined {
  const { DATABASE_REPLICA_URL: url, DATABASE_REPLICA_MAX_AGE_SECONDS: seconds = defaultMaxAgeSeconds } = config
  const limitMs = seconds * 1_000
  if (url === undefined) {
    if (registry) createReplicaMetrics(registry, [], limitMs)
    return undefined
  }
  if (isDistributed(knex))
    throw new ConfigError([
      'DATABASE_REPLICA_URL is set, but the tables are distributed. The age of a replica of the coordinator says nothing about the data of the workers. Unset it.',
    ])
  const execution = {
    recorder: createStatementRecorder(registry),
    isPrepared: config.DATABASE_PREPARED_STATEMENTS ?? true,
  }
  const replicas = splitPostgresUrl(url).map((one, index) =>
    openReadReplica({
      url: one,
      name,
      primary: reader,
      execution,
      // A position that an allowed replica has reached can be so old, and the pauses between two looks.
      keepMs: limitMs * 2,
      logger,
      replica: index + 1,
    }),
  )
  const reads = registry && createReplicaMetrics(registry, replicas, limitMs)
  // So that the processes of a service use different ones.
  let first = Math.floor(Math.random() * replicas.length)
  return {
    choose(maxAgeMs) {
      let reason: PrimaryReason = 'unavailable'
      for (const offset of replicas.keys()) {
        const index = (first + offset) % replicas.length
        const replica = replicas[index]
        if (replica === undefined) continue
        const reasonAgainst = findReason(replica, maxAgeMs, limitMs)
        if (reasonAgainst === undefined) {
          first = index
          return { replica, freshAt: replica.freshAt() }
        }
        reason = reasonAgainst
      }
      return { reason }
    },
    count: (outcome) => reads?.inc({ outcome }),
    async [Symbol.asyncDispose]() {
      await Promise.all(replicas.map((replica) => replica[Symbol.asyncDispose]()))
    },
  }
}

/** Creates the metrics of replicas. Returns the counter of reads. */
function createReplicaMetrics(registry: Registry, replicas: readonly ReadReplica[], limitMs: number) {
  const openedAt = performance.now()
  for (const { connections } of replicas) recordStatementMetrics(connections.knex, registry)
  const ageOf = ({ freshAt }: ReadReplica) => performance.now() - Math.max(freshAt(), openedAt)
  createGauge(registry, 'sociallogin_database_replica_age_seconds', (gauge) => {
    for (const [index, replica] of replicas.entries()) gauge.set({ replica: index + 1 }, ageOf(replica) / 1_000)
  })
  createGauge(registry, 'sociallogin_database_replica_usable', (gauge) => {
    for (const [index, replica] of replicas.entries())
      gauge.set({ replica: index + 1 }, findReason(replica, limitMs, limitMs) === undefined ? 1 : 0)
  })
  return createCounter(registry, 'sociallogin_stale_reads_total')
}

/** Why a replica may not serve a read; undefined if it may. */
function findReason(replica: ReadReplica, maxAgeMs: number, limitMs: number): PrimaryReason | undefined {
  const state = replica.state()
  if (state !== 'following') return state
  const ageMs = performance.now() - replica.freshAt()
  if (ageMs > limitMs) return 'lagging'
  return ageMs > maxAgeMs ? 'recent' : undefined
}
