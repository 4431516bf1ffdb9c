import { durationBuckets, httpServices, type MetricDescription } from '../description.ts'

/** HTTP servers. */
export const httpMetrics = {
  http_server_request_duration_seconds: {
    type: 'histogram',
    help: 'Time from the complete request, including its body, to the response.',
    labels: {
      http_request_method: 'the method, or `other`',
      http_route: "the route's template; at the gateway, the operation; `unknown` if there is none",
      http_response_status_code: 'the status',
    },
    buckets: durationBuckets,
    services: httpServices,
  },
  http_server_active_requests: { type: 'gauge', help: 'Requests in progress.', labels: {}, services: httpServices },
  sociallogin_http_connections: { type: 'gauge', help: 'Open connections.', labels: {}, services: httpServices },
  sociallogin_http_connections_refused_total: {
    type: 'counter',
    help: 'Connections closed immediately because too many were open.',
    labels: { reason: { total: 'beyond `MAX_CONNECTIONS`', address: 'beyond `MAX_CONNECTIONS_PER_ADDRESS`' } },
    services: httpServices,
  },
  sociallogin_http_requests_refused_total: {
    type: 'counter',
    help: 'Requests answered 503 immediately because `MAX_REQUESTS` were in progress.',
    labels: {},
    services: ['api-gateway'],
  },
} as const satisfies Record<string, MetricDescription>
