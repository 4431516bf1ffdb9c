import { durationBuckets, type MetricDescription } from '../description.ts'

/** Login providers: what they answer, and what is between them and their people. */
export const loginProviderMetrics = {
  sociallogin_provider_client_duration_seconds: {
    type: 'histogram',
    help: 'Time of calls to login providers.',
    labels: {
      provider: 'the login provider',
      outcome:
        '`ok`, `http_3xx`, `http_4xx`, `http_5xx`, `timeout`, `network`, `tls`, `too_long`, `address_refused`; `circuit_open` for calls not made',
    },
    buckets: durationBuckets,
    services: ['provider-auth'],
  },
  sociallogin_provider_circuit_state: {
    type: 'gauge',
    help: 'Circuit of each login provider: 1 at the state it is in, 0 at the others.',
    labels: { provider: 'the login provider', state: '`closed`, `half_open`, `open`' },
    services: ['provider-auth'],
  },
  sociallogin_credentials_refresh_total: {
    type: 'counter',
    help: 'Renewals of provider tokens that had ended.',
    labels: {
      provider: 'the login provider',
      outcome:
        '`renewed`; `needs_reauth`: only a login of the person helps; `failed`: tried again after a pause; `superseded`: by a login meanwhile',
    },
    services: ['provider-auth'],
  },
  sociallogin_credentials_needing_reauth: {
    type: 'gauge',
    help: 'Stored credentials whose tokens only a login of the person can renew, counted every minute; the same at every replica.',
    labels: { provider: 'the login provider' },
    services: ['provider-auth'],
  },
  sociallogin_leavings_total: {
    type: 'counter',
    help: 'Login providers left for a person.',
    labels: {
      provider: 'the login provider',
      outcome:
        '`left`; `returned`: the person is back, so nothing was ended; `impossible`: no settings any more; `failed`: tried again later; `given_up`',
    },
    services: ['provider-auth'],
  },
  sociallogin_notices_total: {
    type: 'counter',
    help: 'Notices of login providers.',
    labels: {
      provider: 'the login provider',
      kind: 'what it is about; `unverified` before that is known',
      outcome: '`applied`, `unknown_user`, `outdated`, `acknowledged`, `refused`, `failed` (to be sent again)',
    },
    services: ['provider-auth'],
  },
  sociallogin_messaging_webhooks_total: {
    type: 'counter',
    help: 'Requests to the messaging webhook.',
    labels: { outcome: '`heard`, `unknown` (no such address), `forged`, `malformed`, `failed` (to be sent again)' },
    services: ['provider-auth'],
  },
} as const satisfies Record<string, MetricDescription>
