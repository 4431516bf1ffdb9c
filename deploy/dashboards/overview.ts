import { alerts } from '../monitoring/rules.ts'
import { type DashboardDefinition, quantiles, rate, selectByJob, selectOwn } from './dashboard.ts'

const requests = 'sociallogin_api_requests_total'
const flows = 'sociallogin_authorize_flows_total'
const names = alerts.map(({ alert }) => alert).join('|')

export const overviewDashboard: DashboardDefinition = {
  name: 'overview',
  title: 'Overview',
  description: 'Whether end users can log in and customers can call the Web API: objectives, error budgets, traffic.',
  rows: [
    {
      title: 'Now',
      panels: [
        {
          title: 'Firing alerts',
          description: 'Each alert has a runbook with its name in docs/operate/runbooks.',
          unit: 'short',
          as: 'stat',
          thresholds: { warning: 1 },
          queries: {
            '{{severity}} {{alertname}}': `count by (severity, alertname) (ALERTS{alertstate="firing",alertname=~"${names}",namespace=~"$namespace|",release=~"$release|"})`,
          },
        },
        {
          title: 'External probes',
          description: 'By the blackbox exporter; 1: the expected response.',
          unit: 'short',
          as: 'stat',
          thresholds: { warning: 1, below: true },
          queries: { '{{instance}}': `min by (instance) (${selectByJob('probe', 'probe_success')})` },
          alerts: ['ProbeFailing'],
        },
        {
          title: 'Certificates',
          description: 'Time until the first certificate of each address expires.',
          unit: 's',
          as: 'stat',
          thresholds: { warning: 14 * 86_400, critical: 2 * 86_400, below: true },
          queries: {
            '{{instance}}': `min by (instance) (${selectByJob('probe', 'probe_ssl_earliest_cert_expiry')}) - time()`,
          },
          alerts: ['CertificateExpiring'],
        },
      ],
    },
    {
      title: 'Objectives',
      panels: [
        {
          title: 'Remaining budget, 30 days',
          description: '1: no failures; 0: all failures that the objective allows; below 0: the objective is missed.',
          unit: 'percentunit',
          as: 'stat',
          thresholds: { warning: 0.5, critical: 0, below: true },
          // Without traffic there is no burn rate, which is no failure.
          queries: { '{{slo}}': `1 - avg_over_time((${selectOwn('sociallogin:slo_burn:ratio_rate5m')} >= 0)[30d:1m])` },
          alerts: ['BudgetBurnSlow', 'SliAbsent'],
        },
        {
          title: 'Burn rate, last 3 days',
          description: '1 uses up exactly the budget of 30 days in 30 days.',
          unit: 'short',
          as: 'stat',
          thresholds: { warning: 1 },
          queries: { '{{slo}}': selectOwn('sociallogin:slo_burn:ratio_rate3d') },
          alerts: ['BudgetBurnSlow'],
        },
        {
          title: 'Good events, last 3 days',
          description: 'Share of the requests and logins that met the objective.',
          unit: 'percentunit',
          as: 'stat',
          queries: { '{{slo}}': `1 - ${selectOwn('sociallogin:slo_errors:ratio_rate3d')}` },
        },
        {
          title: 'Versions',
          description: 'Replicas of each version. Two versions for a long time mean that a rollout is stuck.',
          unit: 'short',
          as: 'stat',
          alerts: ['ServiceAbsent'],
          queries: {
            '{{service_name}} {{version}}': `count by (service_name, version) (${selectOwn('sociallogin_build_info')})`,
          },
        },
        {
          title: 'Users of all sites',
          description: 'Users in all sites, counted in the database.',
          unit: 'short',
          as: 'stat',
          queries: { users: `sum(max by (namespace, release) (${selectOwn('sociallogin_users')}))` },
        },
      ],
    },
    {
      title: 'Error budgets',
      panels: [
        {
          title: 'Burn rate, 1 hour',
          description: 'Pages from 14.4 on.',
          unit: 'short',
          thresholds: { critical: 14.4 },
          alerts: ['BudgetBurnFast'],
          min: 0,
          queries: { '{{slo}}': selectOwn('sociallogin:slo_burn:ratio_rate1h') },
        },
        {
          title: 'Burn rate, 6 hours',
          description: 'Pages from 6 on.',
          unit: 'short',
          thresholds: { critical: 6 },
          alerts: ['BudgetBurnFast'],
          min: 0,
          queries: { '{{slo}}': selectOwn('sociallogin:slo_burn:ratio_rate6h') },
        },
      ],
    },
    {
      title: 'Web API',
      panels: [
        {
          title: 'Requests by operation',
          description: 'Requests a second by operation of the Web API.',
          unit: 'reqps',
          as: 'stacked',
          queries: { '{{operation}}': `sum by (operation) (${rate(requests)})` },
        },
        {
          title: 'Error codes',
          description:
            'Codes of the specification: 22 is the rate limit, 3 an error of the service, 1 an invalid API key.',
          unit: 'reqps',
          as: 'stacked',
          queries: { '{{http_status}}/{{code}}': `sum by (http_status, code) (${rate(requests, 'code!="0"')})` },
        },
        {
          title: 'Response time',
          description:
            'Measured from the complete request; requests of rejected callers are excluded. The objective is 250 ms for 99 %.',
          unit: 's',
          thresholds: { warning: 0.25 },
          min: 0,
          queries: quantiles(
            'http_server_request_duration_seconds',
            'service_name="api-gateway",http_response_status_code!~"401|403|415|429"',
          ),
        },
      ],
    },
    {
      title: 'Logins',
      panels: [
        {
          title: 'Successful logins by provider',
          description: 'Logins that returned a code or an ID Token.',
          unit: 'reqps',
          as: 'stacked',
          queries: { '{{provider}}': `sum by (provider) (${rate(flows, 'outcome=~"success|continued"')})` },
        },
        {
          title: 'Failed logins by reason',
          description: 'Only server_error is an error of the service and counts against the objective.',
          unit: 'reqps',
          as: 'stacked',
          queries: {
            '{{outcome}}': `sum by (outcome) (${rate(flows, 'outcome=~"user_denied|client_error|provider_error|server_error"')})`,
          },
        },
      ],
    },
  ],
}
