import { type DashboardDefinition, quantile, quantiles, rate, selectOwn } from './dashboard.ts'

const http = 'http_server_request_duration_seconds'
const here = 'service_name="api-gateway"'
const rpc = 'sociallogin_rpc_client_duration_seconds'
const decisions = 'sociallogin_ratelimit_decisions_total'

export const gatewayDashboard: DashboardDefinition = {
  name: 'gateway',
  title: 'Gateway',
  description: 'The Web API: rate, errors and duration; API keys; the rate limit; calls to other services.',
  rows: [
    {
      title: 'Rate, errors, duration',
      panels: [
        {
          title: 'Requests by operation',
          description: 'Requests a second by operation of the Web API; unknown: paths that do not exist.',
          unit: 'reqps',
          queries: { '{{http_route}}': `sum by (http_route) (${rate(`${http}_count`, here)})` },
        },
        {
          title: '5xx and 429',
          description: '5xx: errors of the service, which use up the error budget. 429: requests over a limit.',
          unit: 'reqps',
          queries: {
            '{{http_response_status_code}}': `sum by (http_response_status_code) (${rate(`${http}_count`, `${here},http_response_status_code=~"5..|429"`)})`,
          },
        },
        {
          title: 'p95 by operation',
          description: '95 % of the requests are answered faster. friendship_status waits for a login provider.',
          unit: 's',
          thresholds: { warning: 0.25 },
          min: 0,
          queries: { '{{http_route}}': quantile(0.95, http, { by: 'http_route', labels: here }) },
        },
        {
          title: 'Requests in progress',
          description: 'By replica. A gateway rejects requests at MAX_REQUESTS.',
          unit: 'short',
          min: 0,
          queries: { '{{instance}}': selectOwn('http_server_active_requests', here) },
        },
        {
          title: 'Requests rejected because too many were in progress',
          description: 'Above 0, callers get 503: add gateways, or find what is slow.',
          unit: 'reqps',
          alerts: ['GatewayOverloaded'],
          queries: { '{{instance}}': `sum by (instance) (${rate('sociallogin_http_requests_refused_total')})` },
        },
      ],
    },
    {
      title: 'API keys and the rate limit',
      panels: [
        {
          title: 'API key checks',
          description: 'ok: a known key. Everything else is rejected and counts against no site.',
          unit: 'reqps',
          alerts: ['UnknownKeySpike'],
          queries: { '{{result}}': `sum by (result) (${rate('sociallogin_apikey_checks_total')})` },
        },
        {
          title: 'Rate limit decisions',
          description:
            'near_limit: allowed, with at most a fifth of the window remaining. degraded: Redis is unavailable.',
          alerts: ['RateLimiterDegraded'],
          unit: 'reqps',
          as: 'stacked',
          queries: { '{{decision}} {{mode}}': `sum by (decision, mode) (${rate(decisions)})` },
        },
        {
          title: 'Sites near or over the limit',
          description:
            'Share of the requests by decision. limited: 429; near_limit: at most a fifth of the window remains.',
          alerts: ['SitesOverQuota'],
          unit: 'percentunit',
          min: 0,
          max: 1,
          queries: {
            '{{decision}}': `sum by (decision) (${rate(decisions, 'decision!="allowed"')}) / on () group_left () sum(${rate(decisions)})`,
          },
        },
        {
          title: 'Duration of decisions',
          description: 'How long a request waits for the rate limit, mostly for Redis.',
          unit: 's',
          min: 0,
          queries: quantiles('sociallogin_ratelimit_store_duration_seconds'),
        },
      ],
    },
    {
      title: 'Calls to services',
      panels: [
        {
          title: 'Calls by service',
          description: 'Calls of the gateways over the bus.',
          unit: 'reqps',
          queries: { '{{rpc_service}}': `sum by (rpc_service) (${rate(`${rpc}_count`, here)})` },
        },
        {
          title: 'Calls without a response, and defects',
          description:
            'timeout, no_responders, disconnected: no response. defect: an unexpected error, with its cause in the log of the called service.',
          unit: 'reqps',
          alerts: ['RpcTimeouts', 'ServiceDefects'],
          queries: {
            '{{rpc_service}} {{outcome}}': `sum by (rpc_service, outcome) (${rate(`${rpc}_count`, `${here},outcome!~"ok|app_error"`)})`,
          },
        },
        {
          title: 'p95 by service',
          description: '95 % of the calls over the bus are answered faster.',
          unit: 's',
          min: 0,
          queries: { '{{rpc_service}}': quantile(0.95, rpc, { by: 'rpc_service', labels: here }) },
        },
        {
          title: 'Age of the site table',
          description: 'Identity confirms it every second. From 30 seconds on, the gateway rejects every request.',
          thresholds: { warning: 15, critical: 30 },
          alerts: ['SiteTableStale'],
          unit: 's',
          min: 0,
          queries: { '{{instance}}': selectOwn('sociallogin_site_table_age_seconds') },
        },
      ],
    },
  ],
}
