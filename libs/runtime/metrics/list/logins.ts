import type { MetricDescription } from '../description.ts'

/** People who log in, and the tokens applications get. */
export const loginMetrics = {
  sociallogin_authorize_flows_total: {
    type: 'counter',
    help: 'Steps and ends of logins and linkings.',
    labels: {
      provider: 'the login provider, or `unknown`',
      outcome:
        'steps: `asked` to choose or to confirm, `begun`, `returned` by a form; ends: `continued` (by a session, nobody was asked), `success`, `user_denied`, `client_error`, `provider_error`, `server_error`',
    },
    services: ['provider-auth'],
  },
  sociallogin_login_starts_limited_total: {
    type: 'counter',
    help: 'Logins rejected because their source address started too many.',
    labels: { counted_in: '`redis`; `memory` while Redis is unavailable' },
    services: ['provider-auth'],
  },
  sociallogin_tokens_issued_total: {
    type: 'counter',
    help: 'Requests of the token endpoint that got their tokens.',
    labels: { type: '`access`' },
    services: ['provider-auth'],
  },
  sociallogin_tokens_rejected_total: {
    type: 'counter',
    help: 'Requests of the token endpoint that were refused.',
    labels: { error: 'the error of RFC 6749 5.2, or `server_error`' },
    services: ['provider-auth'],
  },
  sociallogin_signing_key_age_seconds: {
    type: 'gauge',
    help: 'How long the key that signs has been signing.',
    labels: { alg: '`RS256`, `ES256`' },
    services: ['provider-auth'],
  },
} as const satisfies Record<string, MetricDescription>
