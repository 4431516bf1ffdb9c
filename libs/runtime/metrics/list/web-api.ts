import { durationBuckets, type MetricDescription } from '../description.ts'

/** Who asks the Web API, and with which answers. */
export const webApiMetrics = {
  sociallogin_api_requests_total: {
    type: 'counter',
    help: 'Answers of the Web API.',
    labels: {
      operation: 'the operation; `unknown` where there is none',
      http_status: 'the status',
      code: "the error's code, 0 for a good answer",
    },
    services: ['api-gateway'],
  },
  sociallogin_apikey_checks_total: {
    type: 'counter',
    help: 'API keys looked up, by what came of it.',
    labels: {
      result:
        '`ok`, `invalid_api_key`, `address_not_allowed`, `option_contract_needed` (the static address without its option), `body_not_a_form` (no key in a header or the query, and a body that is not a form), `too_many_requests` (an address that was refused too often)',
    },
    services: ['api-gateway'],
  },
  sociallogin_ratelimit_decisions_total: {
    type: 'counter',
    help: 'Requests of known sites by what the rate limit decided.',
    labels: {
      decision: '`allowed`; `near_limit`: allowed, a fifth or less of the window left; `limited`',
      mode: '`exact`: gateways counted together; `degraded`: each alone, while Redis is away',
    },
    services: ['api-gateway'],
  },
  sociallogin_ratelimit_store_duration_seconds: {
    type: 'histogram',
    help: "Time the rate limit's decision took, Redis included.",
    labels: {},
    buckets: durationBuckets,
    services: ['api-gateway'],
  },
  sociallogin_gateways_serving: {
    type: 'gauge',
    help: 'Gateways this one knows of, itself among them.',
    labels: {},
    services: ['api-gateway'],
  },
  sociallogin_site_table_age_seconds: {
    type: 'gauge',
    help: 'Time since identity confirmed the table of sites and API keys; from 30 seconds on nobody is let in.',
    labels: {},
    services: ['api-gateway'],
  },
} as const satisfies Record<string, MetricDescription>
