import { durationBuckets, type MetricDescription } from '../description.ts'

/** The Web API: responses, API keys and the rate limit. */
export const webApiMetrics = {
  sociallogin_api_requests_total: {
    type: 'counter',
    help: 'Responses of the Web API.',
    labels: {
      operation: 'the operation; `unknown` if there is none',
      http_status: 'the status',
      code: "the error's code; 0 without an error",
    },
    services: ['api-gateway'],
  },
  sociallogin_apikey_checks_total: {
    type: 'counter',
    help: 'API key checks by result.',
    labels: {
      result: {
        ok: '',
        invalid_api_key: '',
        address_not_allowed: '',
        option_contract_needed: 'the alternate base address without the option',
        body_not_a_form: 'no key in a header or the query, and a body that is not a form',
        too_many_requests: 'too many rejected requests from one address',
      },
    },
    services: ['api-gateway'],
  },
  sociallogin_ratelimit_decisions_total: {
    type: 'counter',
    help: 'Rate limit decisions for requests of known sites.',
    labels: {
      decision: { allowed: '', near_limit: 'allowed, with at most a fifth of the limit remaining', limited: '' },
      mode: {
        exact: 'counted for all gateways together',
        degraded: 'by each gateway separately, while Redis is unavailable',
      },
    },
    services: ['api-gateway'],
  },
  sociallogin_ratelimit_store_duration_seconds: {
    type: 'histogram',
    help: 'Duration of rate limit decisions, including Redis.',
    labels: {},
    buckets: durationBuckets,
    services: ['api-gateway'],
  },
  sociallogin_gateways_serving: {
    type: 'gauge',
    help: 'Gateways that this gateway knows, including itself.',
    labels: {},
    services: ['api-gateway'],
  },
  sociallogin_site_table_age_seconds: {
    type: 'gauge',
    help: 'Time since identity confirmed the table of sites and API keys. After 30 seconds, all requests are rejected.',
    labels: {},
    services: ['api-gateway'],
  },
} as const satisfies Record<string, MetricDescription>
