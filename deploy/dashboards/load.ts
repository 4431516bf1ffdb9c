import { type DashboardDefinition, quantile, quantiles, rate, rateOfSeries, selectOwn } from './dashboard.ts'

const gateway = 'service_name="api-gateway"'

export const loadDashboard: DashboardDefinition = {
  name: 'load',
  title: 'Load test',
  description: 'Results of k6 (by remote write) next to the metrics of the services.',
  chooses: ['service'],
  rows: [
    {
      title: 'k6 measurements',
      panels: [
        {
          title: 'Requests of k6',
          description: 'Requests a second by status, as k6 sends them.',
          unit: 'reqps',
          queries: { '{{status}}': `sum by (status) (${rateOfSeries('k6_http_reqs_total')})` },
        },
        {
          title: 'Duration of k6 requests, p99',
          description: 'Set K6_PROMETHEUS_RW_TREND_STATS to p(99).',
          unit: 's',
          min: 0,
          queries: { '{{operation}}': 'max by (operation) (k6_http_req_duration_p99)' },
        },
        {
          title: 'Late reports',
          description: 'Above 0, the load generator is the bottleneck and the run does not measure the service.',
          unit: 'short',
          min: 0,
          thresholds: { warning: 1 },
          queries: { requests: 'sum(k6_dropped_iterations_total)' },
        },
        {
          title: 'Virtual users',
          description: 'Connections of k6 that send requests.',
          unit: 'short',
          min: 0,
          queries: { users: 'sum(k6_vus)' },
        },
      ],
    },
    {
      title: 'From the services',
      panels: [
        {
          title: 'Responses',
          description: 'Responses of the Web API by status and error code.',
          unit: 'reqps',
          as: 'stacked',
          queries: {
            '{{http_status}}/{{code}}': `sum by (http_status, code) (${rate('sociallogin_api_requests_total')})`,
          },
        },
        {
          title: 'Response time at the gateways',
          description: 'Without the network between k6 and the gateways.',
          unit: 's',
          min: 0,
          thresholds: { warning: 0.25 },
          queries: quantiles('http_server_request_duration_seconds', gateway),
        },
        {
          title: 'p95 of calls over the bus',
          description: '95 % of the calls to the service are answered faster.',
          unit: 's',
          min: 0,
          queries: {
            '{{rpc_service}}': quantile(0.95, 'sociallogin_rpc_client_duration_seconds', { by: 'rpc_service' }),
          },
        },
        {
          title: 'p95 of statements',
          description: '95 % of the statements of the service end sooner, including the wait for Postgres.',
          unit: 's',
          min: 0,
          queries: {
            '{{service_name}}': quantile(0.95, 'db_client_operation_duration_seconds', { by: 'service_name' }),
          },
        },
      ],
    },
    {
      title: 'Resource use',
      panels: [
        {
          title: 'CPU by service',
          description: 'Cores that all replicas of the service use.',
          unit: 'short',
          min: 0,
          queries: {
            '{{service_name}}': `sum by (service_name) (${rate('process_cpu_seconds_total', 'service_name=~"$service"')})`,
          },
        },
        {
          title: 'CPU per request',
          description: 'Of all services; compare it with docs/operate/capacity.md.',
          unit: 's',
          min: 0,
          queries: {
            all: `sum(${rate('process_cpu_seconds_total')}) / sum(${rate('http_server_request_duration_seconds_count', gateway)})`,
          },
        },
        {
          title: 'Highest event loop lag, p99',
          description: 'Contains the 50 ms between two measurements.',
          unit: 's',
          min: 0,
          thresholds: { warning: 0.15 },
          queries: { '{{service_name}}': `max by (service_name) (${selectOwn('nodejs_eventloop_lag_p99_seconds')})` },
        },
        {
          title: 'Waiting for Postgres',
          description: 'Statements that wait for a connection of the pool.',
          unit: 'short',
          min: 0,
          queries: {
            '{{service_name}}': `sum by (service_name) (${selectOwn('db_client_connection_pending_requests')})`,
          },
        },
      ],
    },
  ],
}
