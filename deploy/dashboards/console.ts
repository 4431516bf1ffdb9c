import { type DashboardDefinition, increaseOfSeries, quantile, rate, selectOwn } from './dashboard.ts'

const http = 'http_server_request_duration_seconds'
const here = 'service_name="console"'
const reports = 'sociallogin_rpc_server_duration_seconds'

export const consoleDashboard: DashboardDefinition = {
  name: 'console',
  title: 'Console',
  description: 'The management console, its Admin API, and the usage reports of gateways and provider-auth.',
  rows: [
    {
      title: 'Sign-ins and requests',
      panels: [
        {
          title: 'Replicas of the console',
          description: 'Scraped replicas.',
          unit: 'short',
          min: 0,
          queries: { replicas: `count(${selectOwn('sociallogin_build_info', here)})` },
          alerts: ['ConsoleAbsent'],
        },
        {
          title: 'Requests',
          description: 'Of pages and the Admin API, by status.',
          unit: 'reqps',
          as: 'stacked',
          queries: {
            '{{http_response_status_code}}': `sum by (http_response_status_code) (${rate(`${http}_count`, here)})`,
          },
          alerts: ['ConsoleFailing'],
        },
        {
          title: 'p95 by page and procedure',
          description: '95 % of the requests are answered faster.',
          unit: 's',
          min: 0,
          queries: { '{{http_route}}': quantile(0.95, http, { by: 'http_route', labels: here }) },
        },
        {
          title: 'Sign-ins',
          description: 'rejected: wrong passkey, link or token. failed: an error in the console.',
          unit: 'short',
          min: 0,
          queries: {
            '{{result}}': `sum by (result) (${increaseOfSeries(selectOwn('sociallogin_console_logins_total'))})`,
          },
          alerts: ['ConsoleSignInsFailing'],
        },
        {
          title: 'Changes',
          description: 'Changes by members and operators, which the audit trail contains.',
          unit: 'short',
          min: 0,
          queries: {
            '{{procedure}} {{outcome}}': `sum by (procedure, outcome) (${increaseOfSeries(selectOwn('sociallogin_console_changes_total'))})`,
          },
        },
      ],
    },
    {
      title: 'Audit streams',
      panels: [
        {
          title: 'Records sent',
          description: 'Records of the audit trail that receivers got, a second.',
          unit: 'ops',
          queries: { '{{kind}}': `sum by (kind) (${rate('sociallogin_audit_stream_records_total')})` },
        },
        {
          title: 'Failed attempts',
          description: 'They are repeated until they succeed.',
          unit: 'short',
          min: 0,
          queries: {
            '{{kind}} {{error}}': `sum by (kind, error) (${increaseOfSeries(selectOwn('sociallogin_audit_stream_failures_total'))})`,
          },
        },
        {
          title: 'Records not yet sent',
          description: 'Of enabled streams.',
          unit: 'short',
          min: 0,
          queries: {
            '{{scope}} {{kind}} {{state}}': `max by (scope, kind, state) (${selectOwn('sociallogin_audit_stream_backlog')})`,
          },
        },
        {
          title: 'Age of the oldest record not yet sent',
          description: 'Of enabled streams.',
          thresholds: { warning: 900 },
          alerts: ['AuditStreamsDelayed'],
          unit: 's',
          min: 0,
          queries: {
            '{{scope}} {{kind}} {{state}}': `max by (scope, kind, state) (${selectOwn('sociallogin_audit_stream_oldest_age_seconds')})`,
          },
        },
      ],
    },
    {
      title: 'Background work',
      panels: [
        {
          title: 'Reports',
          description: 'Usage reports of gateways and provider-auth.',
          unit: 'reqps',
          queries: {
            '{{rpc_method}} {{outcome}}': `sum by (rpc_method, outcome) (${rate(`${reports}_count`, 'rpc_service="console"')})`,
          },
        },
        {
          title: 'Lost reports',
          description: 'Above 0, the usage statistics of sites have gaps.',
          unit: 'short',
          min: 0,
          queries: {
            '{{service_name}}': `sum by (service_name) (${increaseOfSeries(selectOwn('sociallogin_reports_lost_total'))})`,
          },
          alerts: ['UsageReportsLost'],
        },
        {
          title: 'Exports',
          description: 'Exports that run or wait, by replica.',
          unit: 'short',
          min: 0,
          queries: { '{{instance}} {{state}}': selectOwn('sociallogin_console_exports') },
          alerts: ['ExportsWaiting'],
        },
        {
          title: 'Steps of long changes',
          description: 'Changes of many users, and deletions of sites. A failed step is repeated until it succeeds.',
          unit: 'short',
          min: 0,
          queries: {
            '{{work}} {{result}}': `sum by (work, result) (${increaseOfSeries(selectOwn('sociallogin_console_steps_total'))})`,
          },
          alerts: ['ConsoleWorkFailing'],
        },
        {
          title: 'Notices',
          description:
            'Attempts to deliver notices. failed: the mail server or chat is not available. rejected: for this message.',
          unit: 'short',
          min: 0,
          queries: {
            '{{channel}} {{result}}': `sum by (channel, result) (${increaseOfSeries(selectOwn('sociallogin_notice_attempts_total'))})`,
          },
          alerts: ['NoticesUndelivered'],
        },
        {
          title: 'Time since the last cleanup',
          description: 'One of the replicas deletes expired data every minute.',
          unit: 's',
          min: 0,
          thresholds: { warning: 3_600 },
          queries: {
            '{{service_name}} {{cleanup}}': `time() - max by (service_name, cleanup) (${selectOwn('sociallogin_cleanup_last_success_timestamp_seconds')})`,
          },
          alerts: ['CleanupFailing'],
        },
      ],
    },
  ],
}
