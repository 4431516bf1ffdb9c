import { type Board, of, quantile, rate } from './board.ts'

const asked = 'sociallogin_rpc_client_duration_seconds'

export const bus: Board = {
  name: 'bus',
  title: 'Bus and jobs',
  description:
    'NATS as the services see it, and the work that waits in the databases. The server itself: nats-exporter’s own boards.',
  rows: [
    {
      title: 'NATS',
      panels: [
        {
          title: 'Replicas without a connection',
          unit: 'short',
          min: 0,
          queries: { '{{service_name}}': `sum by (service_name) (1 - ${of('sociallogin_nats_connected')})` },
        },
        {
          title: 'Connections that came back',
          unit: 'short',
          min: 0,
          queries: {
            '{{service_name}}': `sum by (service_name) (increase(${of('sociallogin_nats_reconnects_total')}[$__rate_interval]))`,
          },
        },
        {
          title: 'Questions without an answer',
          unit: 'reqps',
          queries: {
            '{{service_name}} → {{rpc_service}} {{outcome}}': `sum by (service_name, rpc_service, outcome) (${rate(`${asked}_count`, 'outcome=~"timeout|no_responders|disconnected"')})`,
          },
        },
        {
          title: 'Procedures being answered',
          unit: 'short',
          min: 0,
          queries: { '{{service_name}}': `sum by (service_name) (${of('sociallogin_rpc_server_inflight')})` },
        },
      ],
    },
    {
      title: 'Jobs',
      panels: [
        {
          title: 'Waiting',
          unit: 'short',
          min: 0,
          queries: { '{{service_name}} {{task}}': `max by (service_name, task) (${of('sociallogin_outbox_pending')})` },
        },
        {
          title: 'Age of the oldest',
          description:
            'leave_provider may wait for days while a login provider is away; the others are told to services of ours.',
          unit: 's',
          min: 0,
          queries: {
            '{{service_name}} {{task}}': `max by (service_name, task) (${of('sociallogin_outbox_oldest_age_seconds')})`,
          },
        },
        {
          title: 'Given up',
          unit: 'short',
          min: 0,
          queries: { '{{service_name}} {{task}}': `max by (service_name, task) (${of('sociallogin_outbox_dead')})` },
        },
        {
          title: 'p95 of a job',
          unit: 's',
          min: 0,
          queries: {
            '{{consumer}} {{outcome}}': quantile(0.95, 'sociallogin_event_processing_seconds', {
              by: 'consumer, outcome',
            }),
          },
        },
      ],
    },
  ],
}
