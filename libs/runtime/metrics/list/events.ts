import { durationBuckets, eventProducers, type MetricDescription } from '../description.ts'

/** The stream of events. */
export const eventMetrics = {
  sociallogin_events_pending: {
    type: 'gauge',
    help: 'Events that are not yet in the stream, counted every 15 seconds. Every replica reports the same value.',
    labels: {},
    services: eventProducers,
  },
  sociallogin_events_oldest_age_seconds: {
    type: 'gauge',
    help: 'Age of the oldest event that is not yet in the stream, 0 if there is none. Every replica reports the same value.',
    labels: {},
    services: eventProducers,
  },
  sociallogin_events_lag_seconds: {
    type: 'histogram',
    help: 'Time from the cause of an event until it is in the stream.',
    labels: {},
    buckets: durationBuckets,
    services: ['events'],
  },
  sociallogin_events_recorded_total: {
    type: 'counter',
    help: 'Events that the service received for the stream.',
    labels: {
      outcome: {
        recorded: 'added to the stream',
        repeated: 'already in the stream',
        discarded: 'of a deleted user',
        waiting: 'sent again, because identity has earlier events of the user',
      },
    },
    services: ['events'],
  },
  sociallogin_webhook_attempts_total: {
    type: 'counter',
    help: 'Requests to endpoints of webhooks.',
    labels: {
      outcome: {
        delivered: 'a response 2xx',
        http_1xx: '',
        http_3xx: 'redirects are not followed',
        http_4xx: '',
        http_5xx: '',
        timeout: '',
        tls: '',
        address_blocked: 'a private address that `WEBHOOK_PRIVATE_ADDRESSES` does not allow',
        network: '',
      },
    },
    services: ['events'],
  },
  sociallogin_webhook_attempt_duration_seconds: {
    type: 'histogram',
    help: 'Duration of a request to an endpoint of webhooks.',
    labels: {},
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
    services: ['events'],
  },
  sociallogin_webhook_delay_seconds: {
    type: 'histogram',
    help: 'Time from an event until an endpoint received it.',
    labels: {},
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600, 3_600, 86_400],
    services: ['events'],
  },
  sociallogin_webhook_endpoints: {
    type: 'gauge',
    help: 'Endpoints of webhooks, counted every 15 seconds. Every replica reports the same value.',
    labels: {
      state: {
        sending: '',
        failing: 'since the last successful request, if any',
        paused: 'by a member',
        paused_by_failures: 'by the service',
      },
    },
    services: ['events'],
  },
  sociallogin_webhook_oldest_age_seconds: {
    type: 'gauge',
    help: 'Age of the oldest event that was not yet sent to an endpoint which does not fail. Every replica reports the same value.',
    labels: {},
    services: ['events'],
  },
} as const satisfies Record<string, MetricDescription>
