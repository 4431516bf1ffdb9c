import { busServers, durationBuckets, type MetricDescription, redisServices } from '../description.ts'

/** Each service's Postgres database, and Redis. */
export const storeMetrics = {
  db_client_operation_duration_seconds: {
    type: 'histogram',
    help: 'Time of SQL statements, without the wait for a connection.',
    labels: {
      db_operation_name: '`select`, `insert`, `update`, `delete`, `with`, `transaction`, `other`',
      outcome: '`ok`, `error`',
    },
    buckets: durationBuckets,
    services: busServers,
  },
  db_client_connection_count: {
    type: 'gauge',
    help: "Connections of the process's pool to Postgres.",
    labels: { state: '`idle`, `used`' },
    services: busServers,
  },
  db_client_connection_max: {
    type: 'gauge',
    help: "Connections the process's pool may have.",
    labels: {},
    services: busServers,
  },
  db_client_connection_pending_requests: {
    type: 'gauge',
    help: 'Statements and transactions waiting for a connection of the pool.',
    labels: {},
    services: busServers,
  },
  db_client_connection_timeouts_total: {
    type: 'counter',
    help: 'Waits for a connection of the pool that were given up.',
    labels: {},
    services: busServers,
  },
  sociallogin_database_usable: {
    type: 'gauge',
    help: '1 while Postgres answered lately, else 0.',
    labels: {},
    services: busServers,
  },
  sociallogin_schema_version: {
    type: 'gauge',
    help: "Number of the last migration the service's database has, as the process saw it last.",
    labels: {},
    services: busServers,
  },
  sociallogin_schema_required_version: {
    type: 'gauge',
    help: 'Number of the last migration the process needs; it serves when the database has it.',
    labels: {},
    services: busServers,
  },
  sociallogin_redis_connected: {
    type: 'gauge',
    help: '1 while Redis can be used, else 0.',
    labels: {},
    services: redisServices,
  },
} as const satisfies Record<string, MetricDescription>
