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
          title: 'Duration of logins',
          alerts: ['LoginSuccessDrop'],
          description:
            'Logins that were started at a provider, and their results. A login whose end user closes the page has no result.',
          unit: 'reqps',
          queries: { '{{outcome}}': `sum by (outcome) (${rate(flows, chosen)})` },
        },
        {
          title: 'Success rate by provider',
          unit: 'percentunit',
          min: 0,
          queries: {
            '{{provider}}': `sum by (provider) (${rate(flows, `${chosen},outcome="success"`)}) / sum by (provider) (${rate(flows, `${chosen},outcome="started"`)})`,
          },
        },
        {
          title: 'p95 by route',
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
          alerts: ['ProviderFailing', 'ProviderClientConfigBroken'],
          unit: 'reqps',
          queries: { '{{provider}} {{outcome}}': `sum by (provider, outcome) (${rate(`${calls}_count`, chosen)})` },
        },
        {
          title: 'p95 by provider',
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
          unit: 'reqps',
          queries: {
            issued: `sum(${rate('sociallogin_tokens_issued_total')})`,
            '{{error}}': `sum by (error) (${rate('sociallogin_tokens_rejected_total')})`,
          },
        },
        {
          title: 'Age of the signing keys',
          thresholds: { warning: 400 * 86_400 },
          alerts: ['SigningKeyStale'],
          unit: 's',
          min: 0,
          queries: { '{{alg}}': `max by (alg) (${selectOwn('sociallogin_signing_key_age_seconds')})` },
        },
        {
          title: 'Credentials that need a login',
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
          alerts: ['CredentialsRefreshFailing'],
          unit: 'reqps',
          queries: {
            '{{provider}} {{outcome}}': `sum by (provider, outcome) (${rate('sociallogin_credentials_refresh_total', chosen)})`,
          },
        },
        {
          title: 'Webhooks of providers',
          alerts: ['ProviderWebhooksFailing'],
          unit: 'reqps',
          queries: {
            '{{provider}} {{kind}} {{outcome}}': `sum by (provider, kind, outcome) (${rate('sociallogin_provider_webhooks_total', chosen)})`,
          },
        },
        {
          title: 'Provider revocations',
          unit: 'reqps',
          queries: {
            '{{provider}} {{outcome}}': `sum by (provider, outcome) (${rate('sociallogin_provider_revocations_total', chosen)})`,
          },
        },
        {
          title: 'Messaging webhook',
          unit: 'reqps',
          queries: { '{{outcome}}': `sum by (outcome) (${rate('sociallogin_messaging_webhooks_total')})` },
        },
        {
          title: 'Decryption failures',
          thresholds: { critical: 1 },
          alerts: ['DecryptionFailures'],
          unit: 'short',
          queries: {
            '{{kept_in}} {{by}}': `sum by (kept_in, by) (${selectOwn('sociallogin_decryption_failures_total')})`,
          },
        },
      ],
    },
  ],
}
