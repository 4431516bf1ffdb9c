import {
  type DashboardDefinition,
  increaseOfSeries,
  quantile,
  rate,
  rateOfSeries,
  selectByJob,
  selectOwn,
} from './dashboard.ts'

const callDurations = 'sociallogin_rpc_client_duration_seconds'

export const busDashboard: DashboardDefinition = {
  name: 'bus',
  title: 'Bus and jobs',
  description: 'NATS, measured by the services and the server; jobs and events in the databases.',
  rows: [
    {
      title: 'NATS',
      panels: [
        {
          title: 'Replicas without a connection',
          description: 'Above 0, these replicas can neither call nor be called.',
          thresholds: { critical: 1 },
          alerts: ['NatsDown'],
          unit: 'short',
          min: 0,
          queries: { '{{service_name}}': `sum by (service_name) (1 - ${selectOwn('sociallogin_nats_connected')})` },
        },
        {
          title: 'Reconnections',
          description: 'Each is a lost connection to NATS. Some are normal while NATS is upgraded.',
          unit: 'short',
          min: 0,
          queries: {
            '{{service_name}}': `sum by (service_name) (${increaseOfSeries(selectOwn('sociallogin_nats_reconnects_total'))})`,
          },
        },
        {
          title: 'Calls without a response',
          description: 'By caller, called service and reason.',
          alerts: ['RpcTimeouts'],
          unit: 'reqps',
          queries: {
            '{{service_name}} → {{rpc_service}} {{outcome}}': `sum by (service_name, rpc_service, outcome) (${rate(`${callDurations}_count`, 'outcome=~"timeout|no_responders|disconnected"')})`,
          },
        },
        {
          title: 'Procedures in progress',
          description: 'A number that keeps growing means that the service or its database is slow.',
          unit: 'short',
          min: 0,
          queries: { '{{service_name}}': `sum by (service_name) (${selectOwn('sociallogin_rpc_server_inflight')})` },
        },
      ],
    },
    {
      title: 'Jobs',
      panels: [
        {
          title: 'Waiting',
          description: 'Jobs that are not done yet, counted in the database. They are repeated until they succeed.',
          unit: 'short',
          min: 0,
          queries: {
            '{{service_name}} {{task}}': `max by (service_name, task) (${selectOwn('sociallogin_outbox_pending')})`,
          },
        },
        {
          title: 'Age of the oldest job',
          thresholds: { warning: 900 },
          alerts: ['OutboxStuck'],
          description:
            'revoke_at_provider may wait for days while a login provider is unavailable. The other jobs call our own services.',
          unit: 's',
          min: 0,
          queries: {
            '{{service_name}} {{task}}': `max by (service_name, task) (${selectOwn('sociallogin_outbox_oldest_age_seconds')})`,
          },
        },
        {
          title: 'p95 of a job',
          description: '95 % of the jobs of a kind end sooner.',
          unit: 's',
          min: 0,
          queries: {
            '{{task}} {{outcome}}': quantile(0.95, 'sociallogin_job_duration_seconds', {
              by: 'task, outcome',
            }),
          },
        },
      ],
    },
    {
      title: 'Events',
      panels: [
        {
          title: 'Events not yet in the stream',
          description:
            'Counted in the databases of the services that cause them. They are sent again until the events service has them.',
          unit: 'short',
          min: 0,
          queries: { '{{service_name}}': `max by (service_name) (${selectOwn('sociallogin_events_pending')})` },
        },
        {
          title: 'Age of the oldest event not yet in the stream',
          description: 'Consumers do not see events of this service that are newer.',
          thresholds: { warning: 300 },
          alerts: ['EventsStuck'],
          unit: 's',
          min: 0,
          queries: {
            '{{service_name}}': `max by (service_name) (${selectOwn('sociallogin_events_oldest_age_seconds')})`,
          },
        },
        {
          title: 'Events received',
          description: 'Events a second by what became of them. Waiting ones are sent again.',
          unit: 'ops',
          queries: { '{{outcome}}': `sum by (outcome) (${rate('sociallogin_events_recorded_total')})` },
        },
        {
          title: 'p99 of the time until an event is in the stream',
          description: '99 % of the events are in the stream sooner.',
          unit: 's',
          min: 0,
          queries: { p99: quantile(0.99, 'sociallogin_events_lag_seconds') },
        },
      ],
    },
    {
      title: 'Webhooks',
      panels: [
        {
          title: 'Endpoints',
          description: 'Endpoints of all sites by their state.',
          alerts: ['WebhooksFailing'],
          unit: 'short',
          min: 0,
          queries: { '{{state}}': `max by (state) (${selectOwn('sociallogin_webhook_endpoints')})` },
        },
        {
          title: 'Attempts',
          description: 'Requests a second by their outcome. Failed ones are repeated for three days.',
          unit: 'ops',
          queries: { '{{outcome}}': `sum by (outcome) (${rate('sociallogin_webhook_attempts_total')})` },
        },
        {
          title: 'Age of the oldest event not yet sent',
          description: 'Of endpoints that do not fail.',
          thresholds: { warning: 300 },
          alerts: ['WebhooksDelayed'],
          unit: 's',
          min: 0,
          queries: { age: `max(${selectOwn('sociallogin_webhook_oldest_age_seconds')})` },
        },
        {
          title: 'p99 of the time until an endpoint received an event',
          description: '99 % of the delivered events arrive sooner. Repeated attempts count from the event.',
          unit: 's',
          min: 0,
          queries: { p99: quantile(0.99, 'sociallogin_webhook_delay_seconds') },
        },
      ],
    },
    {
      title: 'The server, by nats-exporter',
      panels: [
        {
          title: 'Slow consumers',
          description: 'Connections that NATS closed because they did not read.',
          unit: 'short',
          min: 0,
          thresholds: { warning: 1 },
          queries: {
            '{{server_id}}': `sum by (server_id) (${increaseOfSeries(selectByJob('nats', 'nats_varz_slow_consumers'))})`,
          },
          alerts: ['NatsSlowConsumers'],
        },
        {
          title: 'Connections to NATS',
          description: 'One for each process, and one for each exporter.',
          unit: 'short',
          min: 0,
          queries: { '{{server_id}}': `sum by (server_id) (${selectByJob('nats', 'nats_varz_connections')})` },
        },
        {
          title: 'Messages',
          description: 'Messages a second. A message can contain several calls.',
          unit: 'ops',
          queries: {
            '{{server_id}} in': `sum by (server_id) (${rateOfSeries(selectByJob('nats', 'nats_varz_in_msgs'))})`,
            '{{server_id}} out': `sum by (server_id) (${rateOfSeries(selectByJob('nats', 'nats_varz_out_msgs'))})`,
          },
        },
        {
          title: 'Bytes',
          description: 'Bytes a second through the server.',
          unit: 'Bps',
          queries: {
            '{{server_id}} in': `sum by (server_id) (${rateOfSeries(selectByJob('nats', 'nats_varz_in_bytes'))})`,
            '{{server_id}} out': `sum by (server_id) (${rateOfSeries(selectByJob('nats', 'nats_varz_out_bytes'))})`,
          },
        },
        {
          title: 'Memory of NATS',
          description: 'Grows with connections that do not read.',
          unit: 'bytes',
          min: 0,
          queries: { '{{server_id}}': `max by (server_id) (${selectByJob('nats', 'nats_varz_mem')})` },
        },
        {
          title: 'CPU of NATS',
          description: 'Percent of one core.',
          unit: 'percent',
          min: 0,
          queries: { '{{server_id}}': `max by (server_id) (${selectByJob('nats', 'nats_varz_cpu')})` },
        },
      ],
    },
  ],
}
