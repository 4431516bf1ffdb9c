import { type Board, increaseOf, of, quantile, rate } from './board.ts'

const http = 'http_server_request_duration_seconds'
const here = 'service_name="console"'
const reports = 'sociallogin_rpc_server_duration_seconds'

export const managementConsole: Board = {
  name: 'console',
  title: 'Console',
  description: 'The management console and its Admin API, and what gateways and provider-auth report to it.',
  rows: [
    {
      title: 'People and programs',
      panels: [
        {
          title: 'Replicas of the console',
          unit: 'short',
          min: 0,
          queries: { replicas: `count(${of('sociallogin_build_info', here)})` },
          alerts: ['ConsoleAbsent'],
        },
        {
          title: 'Requests',
          unit: 'reqps',
          as: 'stacked',
          queries: {
            '{{http_response_status_code}}': `sum by (http_response_status_code) (${rate(`${http}_count`, here)})`,
          },
          alerts: ['ConsoleFailing'],
        },
        {
          title: 'p95 by page and procedure',
          unit: 's',
          min: 0,
          queries: { '{{http_route}}': quantile(0.95, http, { by: 'http_route', labels: here }) },
        },
        {
          title: 'Sign-ins',
          description: 'refused: by a passkey, link or token that does not fit; failed: by a failure of ours.',
          unit: 'short',
          min: 0,
          queries: { '{{result}}': `sum by (result) (${increaseOf(of('sociallogin_console_logins_total'))})` },
          alerts: ['ConsoleSignInsRefused'],
        },
        {
          title: 'Changes',
          unit: 'short',
          min: 0,
          queries: {
            '{{procedure}} {{outcome}}': `sum by (procedure, outcome) (${increaseOf(of('sociallogin_console_changes_total'))})`,
          },
        },
      ],
    },
    {
      title: 'What it does beside requests',
      panels: [
        {
          title: 'Reports',
          description: 'Of usage, by gateways and provider-auth.',
          unit: 'reqps',
          queries: {
            '{{rpc_method}} {{outcome}}': `sum by (rpc_method, outcome) (${rate(`${reports}_count`, 'rpc_service="console"')})`,
          },
        },
        {
          title: 'Reports lost',
          unit: 'short',
          min: 0,
          queries: {
            '{{service_name}}': `sum by (service_name) (${increaseOf(of('sociallogin_reports_lost_total'))})`,
          },
          alerts: ['UsageReportsLost'],
        },
        {
          title: 'Exports',
          unit: 'short',
          min: 0,
          queries: { '{{instance}} {{state}}': of('sociallogin_console_exports') },
          alerts: ['ExportsWaiting'],
        },
        {
          title: 'Since the last sweep',
          description: 'What must not be kept any longer is removed every minute, by whichever replica.',
          unit: 's',
          min: 0,
          thresholds: { warning: 3_600 },
          queries: {
            '{{service_name}} {{sweep}}': `time() - max by (service_name, sweep) (${of('sociallogin_sweep_last_success_timestamp_seconds')})`,
          },
          alerts: ['SweepFailing'],
        },
      ],
    },
  ],
}
