import type { MetricDescription } from '../description.ts'

/** The management console, and what others report to it. */
export const consoleMetrics = {
  sociallogin_console_logins_total: {
    type: 'counter',
    help: 'Attempts to sign in at the console.',
    labels: { result: '`ok`, `refused`, `failed`' },
    services: ['console'],
  },
  sociallogin_console_changes_total: {
    type: 'counter',
    help: 'Changes asked for by console and Admin API.',
    labels: { procedure: 'of the Admin API', outcome: '`ok`, or the error' },
    services: ['console'],
  },
  sociallogin_reports_lost_total: {
    type: 'counter',
    help: 'Reports of usage that were given up: the console was away for too long, or could not take them.',
    labels: {},
    services: ['api-gateway', 'provider-auth'],
  },
  sociallogin_console_exports: {
    type: 'gauge',
    help: 'Exports of users that a replica is making or will make.',
    labels: { state: '`waiting`, `running`' },
    services: ['console'],
  },
} as const satisfies Record<string, MetricDescription>
