import { type Board, of, quantile, rate } from './board.ts'

const statements = 'db_client_operation_duration_seconds'

export const postgres: Board = {
  name: 'postgres',
  title: 'Postgres',
  description:
    'Each service’s database as the service sees it. The server itself: the boards of postgres_exporter or CloudNativePG.',
  rows: [
    {
      title: 'Statements',
      panels: [
        {
          title: 'Statements by service',
          unit: 'ops',
          queries: { '{{service_name}}': `sum by (service_name) (${rate(`${statements}_count`)})` },
        },
        {
          title: 'p95 by service and kind',
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
          description: 'Refused by a constraint, ended by a time limit, or lost with the connection.',
          unit: 'ops',
          queries: { '{{service_name}}': `sum by (service_name) (${rate(`${statements}_count`, 'outcome="error"')})` },
        },
      ],
    },
    {
      title: 'Connections',
      panels: [
        {
          title: 'Used part of the pools',
          unit: 'percentunit',
          min: 0,
          max: 1,
          queries: {
            '{{service_name}} {{instance}}': `${of('db_client_connection_count', 'state="used"')} / on (service_name, instance) ${of('db_client_connection_max')}`,
          },
        },
        {
          title: 'Open connections',
          description:
            'Their sum, and 4 for the jobs of each replica of identity and provider-auth, has to stay below max_connections.',
          unit: 'short',
          as: 'stacked',
          queries: { '{{service_name}}': `sum by (service_name) (${of('db_client_connection_count')})` },
        },
        {
          title: 'Waiting for a connection',
          unit: 'short',
          min: 0,
          queries: { '{{service_name}}': `sum by (service_name) (${of('db_client_connection_pending_requests')})` },
        },
        {
          title: 'Waits given up',
          unit: 'short',
          min: 0,
          queries: {
            '{{service_name}}': `sum by (service_name) (increase(${of('db_client_connection_timeouts_total')}[$__rate_interval]))`,
          },
        },
      ],
    },
    {
      title: 'State',
      panels: [
        {
          title: 'Replicas whose database answers',
          unit: 'short',
          as: 'stat',
          queries: { '{{service_name}}': `sum by (service_name) (${of('sociallogin_database_usable')})` },
        },
        {
          title: 'Migrations missing',
          unit: 'short',
          as: 'stat',
          queries: {
            '{{service_name}}': `max by (service_name) (${of('sociallogin_schema_required_version')}) - max by (service_name) (${of('sociallogin_schema_version')})`,
          },
        },
      ],
    },
  ],
}
