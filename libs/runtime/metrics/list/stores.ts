import { busServers, durationBuckets, type MetricDescription, redisServices, replicaReaders } from '../description.ts'

/** Each service's Postgres database, and Redis. */
export const storeMetrics = {
  db_client_operation_duration_seconds: {
    type: 'histogram',
    help: 'Duration of SQL statements, without the wait for a connection.',
    labels: {
      db_operation_name: '`select`, `insert`, `update`, `delete`, `with`, `transaction`, `other`',
      outcome: '`ok`, `error`',
    },
    buckets: durationBuckets,
    services: busServers,
  },
  db_client_connection_count: {
    type: 'gauge',
    help: 'Connections of the process to Postgres.',
    labels: { state: '`idle` and `used`: of the pool; `look_ups`: those for look-ups' },
    services: busServers,
  },
  db_client_connection_max: {
    type: 'gauge',
    help: "Maximum connections of the process's pool.",
    labels: {},
    services: busServers,
  },
  db_client_connection_pending_requests: {
    type: 'gauge',
    help: 'Transactions that wait for a connection of the pool, and look-ups that wait for theirs.',
    labels: {},
    services: busServers,
  },
  db_client_connection_timeouts_total: {
    type: 'counter',
    help: 'Waits for a connection of the pool that timed out.',
    labels: {},
    services: busServers,
  },
  sociallogin_database_usable: {
    type: 'gauge',
    help: '1 if the last check of Postgres succeeded, else 0.',
    labels: {},
    services: busServers,
  },
  sociallogin_database_replica_usable: {
    type: 'gauge',
    help: '1 if the replica follows the primary and is not older than `DATABASE_REPLICA_MAX_AGE_SECONDS`, else 0.',
    labels: { replica: 'its number in `DATABASE_REPLICA_URL`, from 1' },
    services: replicaReaders,
  },
  sociallogin_database_replica_age_seconds: {
    type: 'gauge',
    help: 'How old the data of the replica can be: an upper bound, by the clock of the process.',
    labels: { replica: 'its number in `DATABASE_REPLICA_URL`, from 1' },
    services: replicaReaders,
  },
  sociallogin_stale_reads_total: {
    type: 'counter',
    help: 'Reads that may be stale, by what served them: a replica, or the primary for one of the other reasons.',
    labels: {
      outcome: {
        replica: 'served by a replica',
        recent: 'the caller needs data that no replica surely had',
        lagging: 'replicas are older than `DATABASE_REPLICA_MAX_AGE_SECONDS`',
        unavailable: 'replicas cannot be reached',
        promoted: 'the replica became a primary',
        foreign: 'the replica does not follow the primary',
        canceled: 'the replica canceled the statement, for changes that it had to replay or after two seconds',
        failed: 'the statement failed at the replica',
      },
    },
    services: replicaReaders,
  },
  sociallogin_schema_version: {
    type: 'gauge',
    help: "Number of the last migration that is applied to the service's database.",
    labels: {},
    services: busServers,
  },
  sociallogin_schema_required_version: {
    type: 'gauge',
    help: 'Number of the last migration that the process requires; it is ready once this migration is applied.',
    labels: {},
    services: busServers,
  },
  sociallogin_redis_connected: {
    type: 'gauge',
    help: '1 while Redis is available, else 0.',
    labels: {},
    services: redisServices,
  },
} as const satisfies Record<string, MetricDescription>
