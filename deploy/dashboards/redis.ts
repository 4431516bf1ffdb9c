import { type Board, of, quantiles, rate } from './board.ts'

export const redis: Board = {
  name: 'redis',
  title: 'Redis',
  description:
    'Redis as the services see it: the rate limit counts there, logins on their way and sessions stand there. The server itself: redis_exporter’s own boards.',
  rows: [
    {
      title: 'Use',
      panels: [
        {
          title: 'Replicas without Redis',
          unit: 'short',
          min: 0,
          queries: { '{{service_name}}': `sum by (service_name) (1 - ${of('sociallogin_redis_connected')})` },
        },
        {
          title: 'Rate limit decisions with and without Redis',
          unit: 'reqps',
          queries: { '{{mode}}': `sum by (mode) (${rate('sociallogin_ratelimit_decisions_total')})` },
        },
        {
          title: 'Time of a decision',
          unit: 's',
          min: 0,
          queries: quantiles('sociallogin_ratelimit_store_duration_seconds'),
        },
      ],
    },
  ],
}
