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
} as const satisfies Record<string, MetricDescription>
