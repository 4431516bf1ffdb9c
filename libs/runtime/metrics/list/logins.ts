import type { MetricDescription } from '../description.ts'

/** Logins, and tokens issued to applications. */
export const loginMetrics = {
  sociallogin_authorize_flows_total: {
    type: 'counter',
    help: 'Steps and outcomes of logins and account linking.',
    labels: {
      provider: 'the login provider, or `unknown`',
      outcome:
        'steps: `prompted` (a choice or a confirmation was shown), `started`, `returned` by a form, `repeated` (the callback was opened again); outcomes: `continued` (by a session, without interaction), `success`, `user_denied`, `client_error`, `provider_error`, `server_error`',
    },
    services: ['provider-auth'],
  },
  sociallogin_logins_without_profile_total: {
    type: 'counter',
    help: 'Logins that continued without the profile, because it could not be fetched from the login provider.',
    labels: { provider: 'the login provider' },
    services: ['provider-auth'],
  },
  sociallogin_login_starts_limited_total: {
    type: 'counter',
    help: 'Logins rejected because their source address started too many.',
    labels: { counted_in: { redis: '', memory: 'while Redis is unavailable' } },
    services: ['provider-auth'],
  },
  sociallogin_login_records_dropped_total: {
    type: 'counter',
    help: 'Records for the log of logins that were dropped, because there were too many since the last report.',
    labels: { limit: { address: 'of one source address', site: 'of one site', all: 'of a replica' } },
    services: ['provider-auth'],
  },
  sociallogin_tokens_issued_total: {
    type: 'counter',
    help: 'Token requests that succeeded.',
    labels: { type: { access: '' } },
    services: ['provider-auth'],
  },
  sociallogin_tokens_rejected_total: {
    type: 'counter',
    help: 'Token requests that were rejected.',
    labels: {
      error: {
        invalid_request: '',
        invalid_client: '',
        invalid_grant: '',
        unsupported_grant_type: '',
        temporarily_unavailable: '',
        server_error: '',
      },
    },
    services: ['provider-auth'],
  },
  sociallogin_signing_key_age_seconds: {
    type: 'gauge',
    help: 'How long the current signing key has been in use.',
    labels: { alg: '`RS256`, `ES256`' },
    services: ['provider-auth'],
  },
} as const satisfies Record<string, MetricDescription>
