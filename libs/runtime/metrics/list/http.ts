import { type MetricDescription, seconds, web } from '../description.ts'

/** Of services that are asked by HTTP. */
export const http_metrics = {
  http_server_request_duration_seconds: {
    type: 'histogram',
    help: 'Time from a request to its answer.',
    labels: {
      http_request_method: 'the method, or `other`',
      http_route: "the route's template; at the gateway the operation; `unknown` where there is none",
      http_response_status_code: 'the status',
    },
    buckets: seconds,
    services: web,
  },
  http_server_active_requests: { type: 'gauge', help: 'Requests being answered.', labels: {}, services: web },
} as const satisfies Record<string, MetricDescription>
