import { durationBuckets, type MetricDescription } from '../description.ts'

/** Calls to login providers, token refresh, revocation and webhooks. */
export const loginProviderMetrics = {
  sociallogin_provider_client_duration_seconds: {
    type: 'histogram',
    help: 'Duration of calls to login providers.',
    labels: {
      provider: 'the login provider',
      outcome:
        '`ok`, `http_3xx`, `http_4xx`, `http_5xx`, `timeout`, `network`, `tls`, `too_long`, `address_blocked`; `circuit_open` for calls not made',
    },
    buckets: durationBuckets,
    services: ['provider-auth'],
  },
  sociallogin_provider_circuit_state: {
    type: 'gauge',
    help: 'Circuit breaker of each login provider: 1 for the current state, 0 for the others.',
    labels: { provider: 'the login provider', state: '`closed`, `half_open`, `open`' },
    services: ['provider-auth'],
  },
  sociallogin_credentials_refresh_total: {
    type: 'counter',
    help: 'Refreshes of expired provider tokens.',
    labels: {
      provider: 'the login provider',
      outcome:
        '`renewed`; `needs_reauth`: the end user must log in again; `failed`: retried after a pause; `superseded`: a login replaced the tokens meanwhile',
    },
    services: ['provider-auth'],
  },
  sociallogin_credentials_needing_reauth: {
    type: 'gauge',
    help: 'Stored credentials that need a new login of the end user, counted every minute. Every replica reports the same value.',
    labels: { provider: 'the login provider' },
    services: ['provider-auth'],
  },
  sociallogin_provider_revocations_total: {
    type: 'counter',
    help: 'Revocations at login providers after a user was deleted or unlinked.',
    labels: {
      provider: 'the login provider',
      outcome:
        '`revoked`; `relinked`: the end user linked the account again, so nothing was revoked; `no_settings`: the provider settings no longer exist; `failed`: retried later; `given_up`',
    },
    services: ['provider-auth'],
  },
  sociallogin_provider_webhooks_total: {
    type: 'counter',
    help: 'Webhooks received from login providers.',
    labels: {
      provider: 'the login provider',
      kind: 'the kind of event; `unverified` before it is known',
      outcome: '`applied`, `unknown_user`, `outdated`, `acknowledged`, `rejected`, `failed` (the provider retries)',
    },
    services: ['provider-auth'],
  },
  sociallogin_messaging_webhooks_total: {
    type: 'counter',
    help: 'Requests to the webhook for friend status.',
    labels: {
      outcome: { heard: '', unknown: 'no such URL', forged: '', malformed: '', failed: 'the provider retries' },
    },
    services: ['provider-auth'],
  },
} as const satisfies Record<string, MetricDescription>
