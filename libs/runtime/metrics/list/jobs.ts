import { durationBuckets, jobWorkers, type MetricDescription } from '../description.ts'

/** Jobs, including the outbox. */
export const jobMetrics = {
  sociallogin_outbox_pending: {
    type: 'gauge',
    help: 'Jobs that are pending or being retried, counted every 15 seconds. Every replica reports the same value.',
    labels: { task: 'the kind of job' },
    services: jobWorkers,
  },
  sociallogin_outbox_oldest_age_seconds: {
    type: 'gauge',
    help: 'Age of the oldest pending job, 0 if there is none. Every replica reports the same value.',
    labels: { task: 'the kind of job' },
    services: jobWorkers,
  },
  sociallogin_job_duration_seconds: {
    type: 'histogram',
    help: 'Duration of jobs.',
    labels: { task: 'the kind of job', outcome: '`ok`, `failed` (retried later)' },
    buckets: durationBuckets,
    services: jobWorkers,
  },
} as const satisfies Record<string, MetricDescription>
