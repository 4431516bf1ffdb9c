import type { MetricDescription } from '../description.ts'

/** The management console, and usage reports to it. */
export const consoleMetrics = {
  sociallogin_console_logins_total: {
    type: 'counter',
    help: 'Sign-in attempts at the console.',
    labels: { result: { ok: '', rejected: '', failed: '' } },
    services: ['console'],
  },
  sociallogin_console_changes_total: {
    type: 'counter',
    help: 'Changes requested in the console and by the Admin API.',
    labels: { procedure: 'the procedure of the Admin API', outcome: '`ok`, or the error' },
    services: ['console'],
  },
  sociallogin_reports_lost_total: {
    type: 'counter',
    help: 'Usage reports that were lost because the console was unavailable for too long or rejected them.',
    labels: {},
    services: ['api-gateway', 'provider-auth'],
  },
  sociallogin_console_exports: {
    type: 'gauge',
    help: 'Exports of users that are waiting or running on a replica.',
    labels: { state: '`waiting`, `running`' },
    services: ['console'],
  },
  sociallogin_notice_attempts_total: {
    type: 'counter',
    help: 'Attempts to deliver notices to channels of accounts.',
    labels: {
      kind: 'the kind of notice, e.g. `webhook_failing`',
      channel: { email: '', chat: '' },
      result: {
        delivered: '',
        rejected: 'by the mail server for this message, or by the chat',
        failed: 'the mail server or chat was not available, or rejected the credentials',
        given_up: 'in addition, after the last attempt',
      },
    },
    services: ['console'],
  },
} as const satisfies Record<string, MetricDescription>
