import { durationBuckets, jobWorkers, type MetricDescription } from '../description.ts'

/** Work that waits in the databases. */
export const jobMetrics = {
  sociallogin_outbox_pending: {
    type: 'gauge',
    help: 'Jobs that wait or are tried again, counted every 15 seconds; the same at every replica.',
    labels: { task: 'the kind of job' },
    services: jobWorkers,
  },
  sociallogin_outbox_oldest_age_seconds: {
    type: 'gauge',
    help: 'Age of the oldest of those jobs, 0 when there is none; the same at every replica.',
    labels: { task: 'the kind of job' },
    services: jobWorkers,
  },
  sociallogin_outbox_dead: {
    type: 'gauge',
    help: 'Jobs that failed as often as they may and are tried no more; the same at every replica.',
    labels: { task: 'the kind of job' },
    services: jobWorkers,
  },
  sociallogin_event_processing_seconds: {
    type: 'histogram',
    help: 'Time a job of the queue took.',
    labels: { consumer: 'the kind of job', outcome: '`ok`, `failed` (tried again later)' },
    buckets: durationBuckets,
    services: jobWorkers,
  },
} as const satisfies Record<string, MetricDescription>
