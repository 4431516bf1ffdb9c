import {
  type DashboardDefinition,
  increaseOfSeries,
  quantiles,
  rate,
  rateOfSeries,
  selectByJob,
  selectOwn,
} from './dashboard.ts'

const server = (metric: string) => `max by (instance) (${selectByJob('redis', metric)})`

export const redisDashboard: DashboardDefinition = {
  name: 'redis',
  title: 'Redis',
  description: 'Redis stores rate limit counters and sessions. Measured by the services and the server.',
  rows: [
    {
      title: 'From the services',
      panels: [
        {
          title: 'Replicas without Redis',
          description: 'Above 0, these gateways apply their share of the rate limits, and logins create no session.',
          unit: 'short',
          min: 0,
          thresholds: { critical: 1 },
          queries: { '{{service_name}}': `sum by (service_name) (1 - ${selectOwn('sociallogin_redis_connected')})` },
          alerts: ['RedisDown'],
        },
        {
          title: 'Rate limit decisions with and without Redis',
          description: 'exact: counted in Redis. degraded: by each gateway alone.',
          unit: 'reqps',
          queries: { '{{mode}}': `sum by (mode) (${rate('sociallogin_ratelimit_decisions_total')})` },
          alerts: ['RateLimiterDegraded'],
        },
        {
          title: 'Duration of decisions',
          description: 'How long a request waits for the rate limit.',
          unit: 's',
          min: 0,
          queries: quantiles('sociallogin_ratelimit_store_duration_seconds'),
        },
      ],
    },
    {
      title: 'The server, by redis_exporter',
      panels: [
        {
          title: 'Redis memory and its limit',
          description: '0 means no limit. At the limit Redis rejects writes and logins cannot start.',
          unit: 'bytes',
          min: 0,
          queries: {
            '{{instance}} used': server('redis_memory_used_bytes'),
            '{{instance}} bound': server('redis_memory_max_bytes'),
          },
          alerts: ['RedisMemoryHigh'],
        },
        {
          title: 'Evictions',
          description:
            'Evicted keys, such as sessions and limit counters. Expect none: maxmemory-policy is noeviction.',
          unit: 'short',
          min: 0,
          thresholds: { warning: 1 },
          queries: {
            '{{instance}}': `sum by (instance) (${increaseOfSeries(selectByJob('redis', 'redis_evicted_keys_total'))})`,
          },
          alerts: ['RedisEvictions'],
        },
        {
          title: 'Keys',
          description: 'Counters, sessions and limits. Each expires by itself.',
          unit: 'short',
          min: 0,
          queries: { '{{instance}} {{db}}': selectByJob('redis', 'redis_db_keys') },
        },
        {
          title: 'Clients',
          description: 'Connections to Redis.',
          unit: 'short',
          min: 0,
          queries: { '{{instance}}': server('redis_connected_clients') },
        },
        {
          title: 'Commands',
          description: 'Commands a second. A rate limit decision is one evalsha.',
          unit: 'ops',
          queries: { '{{cmd}}': `sum by (cmd) (${rateOfSeries(selectByJob('redis', 'redis_commands_total'))})` },
        },
        {
          title: 'Duration of commands',
          description: 'Mean time in Redis, without the network.',
          unit: 's',
          min: 0,
          queries: {
            '{{cmd}}': `sum by (cmd) (${rateOfSeries(selectByJob('redis', 'redis_commands_duration_seconds_total'))}) / sum by (cmd) (${rateOfSeries(selectByJob('redis', 'redis_commands_total'))})`,
          },
        },
      ],
    },
  ],
}
