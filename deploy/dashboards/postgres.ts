import {
  type DashboardDefinition,
  increaseOfSeries,
  quantile,
  rate,
  rateOfSeries,
  selectByJob,
  selectOwn,
} from './dashboard.ts'

const statements = 'db_client_operation_duration_seconds'
const database = (metric: string) => selectByJob('postgres', metric, 'datname!~"template.*|postgres|"')

export const postgresDashboard: DashboardDefinition = {
  name: 'postgres',
  title: 'Postgres',
  description:
    'Each service’s database as the service sees it, and the server. With CloudNativePG, use its dashboards for the server.',
  rows: [
    {
      title: 'Statements',
      panels: [
        {
          title: 'Statements by service',
          description: 'Statements a second.',
          unit: 'ops',
          queries: { '{{service_name}}': `sum by (service_name) (${rate(`${statements}_count`)})` },
        },
        {
          title: 'p95 by service and kind',
          description: '95 % of the statements end sooner, including the wait for Postgres.',
          unit: 's',
          min: 0,
          queries: {
            '{{service_name}} {{db_operation_name}}': quantile(0.95, statements, {
              by: 'service_name, db_operation_name',
            }),
          },
        },
        {
          title: 'Failed statements',
          description: 'Rejected by a constraint, ended by a time limit, or interrupted by a closed connection.',
          unit: 'ops',
          queries: { '{{service_name}}': `sum by (service_name) (${rate(`${statements}_count`, 'outcome="error"')})` },
        },
      ],
    },
    {
      title: 'Connections',
      panels: [
        {
          title: 'Connection pool utilization',
          description: 'Near 1, statements wait for a connection.',
          thresholds: { warning: 0.9 },
          unit: 'percentunit',
          min: 0,
          max: 1,
          queries: {
            '{{service_name}} {{instance}}': `${selectOwn('db_client_connection_count', 'state="used"')} / on (service_name, instance) ${selectOwn('db_client_connection_max')}`,
          },
        },
        {
          title: 'Open connections',
          description:
            'Their sum, and 4 for the jobs of each replica of identity, profile and provider-auth, has to stay below max_connections.',
          unit: 'short',
          as: 'stacked',
          queries: { '{{service_name}}': `sum by (service_name) (${selectOwn('db_client_connection_count')})` },
        },
        {
          title: 'Waiting for a connection',
          description: 'Statements that wait. After 3 seconds they fail, and callers get 503.',
          alerts: ['DatabasePoolWaiting'],
          unit: 'short',
          min: 0,
          queries: {
            '{{service_name}}': `sum by (service_name) (${selectOwn('db_client_connection_pending_requests')})`,
          },
        },
        {
          title: 'Lock timeouts',
          description: 'Connections that were not free in time.',
          unit: 'short',
          min: 0,
          queries: {
            '{{service_name}}': `sum by (service_name) (${increaseOfSeries(selectOwn('db_client_connection_timeouts_total'))})`,
          },
        },
      ],
    },
    {
      title: 'State',
      panels: [
        {
          title: 'Replicas connected to Postgres',
          description: 'Fewer than there are replicas: some cannot reach Postgres.',
          alerts: ['PostgresDown'],
          unit: 'short',
          as: 'stat',
          queries: { '{{service_name}}': `sum by (service_name) (${selectOwn('sociallogin_database_usable')})` },
        },
        {
          title: 'Migrations missing',
          description: 'Above 0, the schema is older than the code, and new replicas wait.',
          thresholds: { critical: 1 },
          alerts: ['SchemaBehindCode', 'MigrationFailed'],
          unit: 'short',
          as: 'stat',
          queries: {
            '{{service_name}}': `max by (service_name) (${selectOwn('sociallogin_schema_required_version')}) - max by (service_name) (${selectOwn('sociallogin_schema_version')})`,
          },
        },
      ],
    },
    {
      title: 'The server, by postgres_exporter',
      panels: [
        {
          title: 'Connections and their limit',
          description: 'Of all clients of the server. At the limit new connections are rejected.',
          unit: 'short',
          min: 0,
          queries: {
            '{{instance}} open': `sum by (instance) (${selectByJob('postgres', 'pg_stat_database_numbackends')})`,
            '{{instance}} bound': `max by (instance) (${selectByJob('postgres', 'pg_settings_max_connections')})`,
          },
          alerts: ['PostgresConnectionsHigh'],
        },
        {
          title: 'Transactions',
          description: 'Transactions a second by database.',
          unit: 'ops',
          queries: {
            '{{datname}} committed': `sum by (datname) (${rateOfSeries(database('pg_stat_database_xact_commit'))})`,
            '{{datname}} rolled back': `sum by (datname) (${rateOfSeries(database('pg_stat_database_xact_rollback'))})`,
          },
        },
        {
          title: 'Cache hit ratio',
          description: 'Near 1 if the data in use fits into shared_buffers.',
          unit: 'percentunit',
          max: 1,
          queries: {
            '{{datname}}': `sum by (datname) (${rateOfSeries(database('pg_stat_database_blks_hit'))}) / (sum by (datname) (${rateOfSeries(database('pg_stat_database_blks_hit'))}) + sum by (datname) (${rateOfSeries(database('pg_stat_database_blks_read'))}))`,
          },
        },
        {
          title: 'Deadlocks',
          description: 'Transactions that Postgres ended because they waited for each other. They are repeated.',
          unit: 'short',
          min: 0,
          queries: { '{{datname}}': `sum by (datname) (${increaseOfSeries(database('pg_stat_database_deadlocks'))})` },
          alerts: ['PostgresDeadlocks'],
        },
        {
          title: 'Locks',
          description: 'Held and awaited locks by mode.',
          unit: 'short',
          min: 0,
          queries: { '{{datname}} {{mode}}': `sum by (datname, mode) (${database('pg_locks_count')}) > 0` },
        },
        {
          title: 'Oldest transaction',
          description: 'A transaction that is open for minutes blocks migrations and vacuum.',
          unit: 's',
          min: 0,
          queries: {
            '{{datname}} {{state}}': `max by (datname, state) (${database('pg_stat_activity_max_tx_duration')})`,
          },
        },
        {
          title: 'Replication lag',
          description: 'How far the standby is behind. A failover loses this much.',
          unit: 's',
          min: 0,
          thresholds: { warning: 30 },
          queries: { '{{instance}}': `max by (instance) (${selectByJob('postgres', 'pg_replication_lag_seconds')})` },
          alerts: ['PostgresReplicationLag'],
        },
        {
          title: 'Age of read replicas',
          description: 'An upper bound, by the clock of each process. Replicas that are too old serve no reads.',
          unit: 's',
          min: 0,
          queries: {
            '{{service_name}} {{replica}}': `max by (service_name, replica) (${selectOwn('sociallogin_database_replica_age_seconds')})`,
          },
          alerts: ['ReadReplicaUnusable'],
        },
        {
          title: 'Reads that may be stale',
          description: 'Served by a replica, or by the primary for one of the other reasons.',
          unit: 'ops',
          min: 0,
          queries: {
            '{{service_name}} {{outcome}}': `sum by (service_name, outcome) (${rate('sociallogin_stale_reads_total')})`,
          },
        },
        {
          title: 'Size',
          description: 'Of each database on disk.',
          unit: 'bytes',
          min: 0,
          queries: { '{{datname}}': `max by (datname) (${database('pg_database_size_bytes')})` },
        },
      ],
    },
  ],
}
