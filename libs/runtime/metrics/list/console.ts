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
  sociallogin_audit_stream_records_total: {
    type: 'counter',
    help: 'Records of the audit trail that the receivers of streams got.',
    labels: { kind: '`webhook`, `otlp`, `syslog`' },
    services: ['console'],
  },
  sociallogin_audit_stream_failures_total: {
    type: 'counter',
    help: 'Failed attempts to send records of the audit trail. They are repeated.',
    labels: {
      kind: '`webhook`, `otlp`, `syslog`',
      error: {
        status: 'a response that is not 2xx',
        timeout: '',
        certificate: 'the certificate of the receiver is not trusted',
        tls: '',
        network: '',
        address_blocked: 'a private address that `WEBHOOK_PRIVATE_ADDRESSES` does not allow',
        records_rejected: 'an OTLP receiver rejected some records',
        not_confirmed: 'a syslog receiver did not close the connection',
        secret_unreadable: 'the key of the secret is not in the ring',
      },
    },
    services: ['console'],
  },
  sociallogin_audit_stream_backlog: {
    type: 'gauge',
    help: 'Records of the audit trail that enabled streams have not sent, counted every 15 seconds. Every replica reports the same value.',
    labels: {
      scope: '`account`, `installation`',
      kind: '`webhook`, `otlp`, `syslog`',
      state: '`sending`, `failing`: the last attempt failed',
    },
    services: ['console'],
  },
  sociallogin_audit_stream_oldest_age_seconds: {
    type: 'gauge',
    help: 'Age of the oldest record that an enabled stream has not sent, 0 if there is none. Every replica reports the same value.',
    labels: {
      scope: '`account`, `installation`',
      kind: '`webhook`, `otlp`, `syslog`',
      state: '`sending`, `failing`: the last attempt failed',
    },
    services: ['console'],
  },
  sociallogin_console_exports: {
    type: 'gauge',
    help: 'Exports of users that are waiting or running on a replica.',
    labels: { state: '`waiting`, `running`' },
    services: ['console'],
  },
  sociallogin_console_steps_total: {
    type: 'counter',
    help: 'Steps of long changes that the console makes in the background. A failed step is repeated until it succeeds.',
    labels: {
      work: {
        'bulk-changes': 'changes of many users',
        'site-deletions': '',
        'site-moves': 'moves of sites to other cells',
      },
      result: { ok: '', failed: '' },
    },
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
