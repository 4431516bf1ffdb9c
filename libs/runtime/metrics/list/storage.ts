import type { MetricDescription } from '../description.ts'

/** What is kept, and how well. */
export const storageMetrics = {
  sociallogin_users: {
    type: 'gauge',
    help: 'Users of all sites, counted every minute; the same at every replica.',
    labels: {},
    services: ['identity'],
  },
  sociallogin_decryption_failures_total: {
    type: 'counter',
    help: 'Encrypted values that could not be opened.',
    labels: { kept_in: 'the table or place', by: '`unknown_key`: the ring lacks it; `damaged`' },
    services: ['provider-auth', 'api-gateway'],
  },
  sociallogin_sweep_last_success_timestamp_seconds: {
    type: 'gauge',
    help: 'When the process last removed what must not be kept any longer; at its start, the time of that.',
    labels: {
      sweep:
        'what is removed: `tokens` of provider-auth; `login_history` of identity, every six hours; `sessions`, `usage`, `exports` of the console',
    },
    services: ['provider-auth', 'identity', 'console'],
  },
} as const satisfies Record<string, MetricDescription>
