import type { MetricDescription } from '../description.ts'

/** Stored data. */
export const storageMetrics = {
  sociallogin_users: {
    type: 'gauge',
    help: 'Users of all sites, counted every minute. Every replica reports the same value.',
    labels: {},
    services: ['identity'],
  },
  sociallogin_decryption_failures_total: {
    type: 'counter',
    help: 'Encrypted values that could not be decrypted.',
    labels: {
      stored_in: 'the table, or other storage',
      reason: '`unknown_key`: the key is not in the ring; `damaged`',
    },
    services: ['profile', 'provider-auth', 'api-gateway', 'events', 'console'],
  },
  sociallogin_cleanup_last_success_timestamp_seconds: {
    type: 'gauge',
    help: 'When the process last deleted expired data; initially, when it started.',
    labels: {
      cleanup:
        'the deleted data: `tokens` of provider-auth; `login_history` of identity, every six hours; `commands` of identity and profile; `events` of events; `sessions`, `usage`, `exports`, `imports` of the console',
    },
    services: ['provider-auth', 'identity', 'profile', 'events', 'console'],
  },
} as const satisfies Record<string, MetricDescription>
