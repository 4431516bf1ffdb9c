import { type DashboardDefinition, quantile, rate, selectOwn } from './dashboard.ts'

const flows = 'sociallogin_authorize_flows_total'
const calls = 'sociallogin_provider_client_duration_seconds'
const here = 'service_name="provider-auth"'
const chosen = 'provider=~"$provider"'

export const authorizationDashboard: DashboardDefinition = {
  name: 'authorization',
  title: 'Authorization and login providers',
  description: 'Logins from the first request to the tokens, and the responses of login providers.',
  chooses: ['provider'],
  rows: [
    {
      title: 'Logins',
      panels: [
        {
          title: 'Logins by outcome',
          alerts: ['LoginSuccessDrop'],
          description:
            'Logins that were started at a provider, and their results. A login whose end user closes the page has no result.',
          unit: 'reqps',
          queries: { '{{outcome}}': `sum by (outcome) (${rate(flows, chosen)})` },
        },
        {
          title: 'Success rate by provider',
          description: 'Logins that succeed of those started. End users who close the page lower it.',
          unit: 'percentunit',
          min: 0,
          queries: {
            '{{provider}}': `sum by (provider) (${rate(flows, `${chosen},outcome="success"`)}) / sum by (provider) (${rate(flows, `${chosen},outcome="started"`)})`,
          },
        },
        {
          title: 'p95 by route',
          description:
            '95 % of the requests to provider-auth are answered faster. The callback waits for the login provider.',
          unit: 's',
          min: 0,
          queries: {
            '{{http_route}}': quantile(0.95, 'http_server_request_duration_seconds', {
              by: 'http_route',
              labels: here,
            }),
          },
        },
      ],
    },
    {
      title: 'Login providers',
      panels: [
        {
          title: 'Calls by outcome',
          description: 'Requests to login providers. circuit_open: not sent, because too many failed.',
          alerts: ['ProviderFailing', 'ProviderClientConfigBroken'],
          unit: 'reqps',
          queries: { '{{provider}} {{outcome}}': `sum by (provider, outcome) (${rate(`${calls}_count`, chosen)})` },
        },
        {
          title: 'p95 by provider',
          description: '95 % of the requests to the login provider are answered faster.',
          unit: 's',
          min: 0,
          queries: { '{{provider}}': quantile(0.95, calls, { by: 'provider', labels: chosen }) },
        },
        {
          title: 'Open circuits',
          alerts: ['ProviderFailing'],
          description: '1 while calls to the provider are blocked because too many failed.',
          unit: 'short',
          min: 0,
          max: 1,
          queries: {
            '{{provider}}': `max by (provider) (${selectOwn('sociallogin_provider_circuit_state', `${chosen},state="open"`)})`,
          },
        },
      ],
    },
    {
      title: 'Tokens and keys',
      panels: [
        {
          title: 'Token endpoint',
          description: 'Codes and refresh tokens that were exchanged, and rejected requests by OAuth error.',
          unit: 'reqps',
          queries: {
            issued: `sum(${rate('sociallogin_tokens_issued_total')})`,
            '{{error}}': `sum by (error) (${rate('sociallogin_tokens_rejected_total')})`,
          },
        },
        {
          title: 'Age of the signing keys',
          description: 'Since the key began to sign. Replace it after a year.',
          thresholds: { warning: 400 * 86_400 },
          alerts: ['SigningKeyStale'],
          unit: 's',
          min: 0,
          queries: { '{{alg}}': `max by (alg) (${selectOwn('sociallogin_signing_key_age_seconds')})` },
        },
        {
          title: 'Credentials that need a login',
          description: 'Provider tokens that can no longer be refreshed: the next login of the end user replaces them.',
          unit: 'short',
          min: 0,
          queries: {
            '{{provider}}': `max by (provider) (${selectOwn('sociallogin_credentials_needing_reauth', chosen)})`,
          },
        },
      ],
    },
    {
      title: 'Login-related requests',
      panels: [
        {
          title: 'Refreshes of provider tokens',
          description: 'needs_reauth: the login provider rejected the refresh token.',
          alerts: ['CredentialsRefreshFailing'],
          unit: 'reqps',
          queries: {
            '{{provider}} {{outcome}}': `sum by (provider, outcome) (${rate('sociallogin_credentials_refresh_total', chosen)})`,
          },
        },
        {
          title: 'Webhooks of providers',
          description: 'Revocations and deletions that login providers report. failed: the provider sends them again.',
          alerts: ['ProviderWebhooksFailing'],
          unit: 'reqps',
          queries: {
            '{{provider}} {{kind}} {{outcome}}': `sum by (provider, kind, outcome) (${rate('sociallogin_provider_webhooks_total', chosen)})`,
          },
        },
        {
          title: 'Provider revocations',
          description: 'Consent that is revoked at the login provider after dissociate and delete_user.',
          unit: 'reqps',
          queries: {
            '{{provider}} {{outcome}}': `sum by (provider, outcome) (${rate('sociallogin_provider_revocations_total', chosen)})`,
          },
        },
        {
          title: 'Messaging webhook',
          description: 'Events of the messaging provider, which keep the friendship status up to date.',
          unit: 'reqps',
          queries: { '{{outcome}}': `sum by (outcome) (${rate('sociallogin_messaging_webhooks_total')})` },
        },
        {
          title: 'Decryption failures',
          description:
            'Since the start of the process. Above 0, a key is missing from the key ring or data is damaged.',
          thresholds: { critical: 1 },
          alerts: ['DecryptionFailures'],
          unit: 'short',
          queries: {
            '{{stored_in}} {{reason}}': `sum by (stored_in, reason) (${selectOwn('sociallogin_decryption_failures_total')})`,
          },
        },
      ],
    },
  ],
}
