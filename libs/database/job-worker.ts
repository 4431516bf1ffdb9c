import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { Registry } from 'prom-client'
import { createHistogram, inSpan, type Logger, startLeaseWorker } from '#runtime'
import { startJobMetrics } from './job-metrics.ts'

/** Runs one kind of job. If it throws, the job is retried with increasing pauses. */
export type Task = (payload: unknown) => Promise<void>

interface LeasedJob {
  /** Can contain the identifier of a user, so it is not logged. */
  readonly key: string
  readonly task: string
  readonly payload: unknown
  readonly lease: string
  /** How many workers in a row ended while they ran the job. */
  readonly crashes: number
}

interface JobWorkerOptions {
  readonly logger: Logger
  readonly registry: Registry
  readonly knex: Knex
  /** Other workers take a job whose worker did not renew its lease for so long. Our choice. */
  readonly leaseSeconds?: number
}

/** Jobs that a replica runs at the same time. Our choice. */
const concurrency = 4
/** Pause between looks for new jobs. Our choice. */
const pollMs = 1_000
/** The pause after a failure doubles with each attempt, up to this one. Our choice. */
const longestPauseSeconds = 300

/**
 * Runs a database's jobs until disposed, which finishes running jobs. A worker leases a job and renews the lease while the job
 * runs, so the jobs of a killed worker run elsewhere as soon as their leases end; later, if the job ends its workers again and
 * again. A worker that cannot renew in time may still run its job, so a job can run twice at the same time.
 */
export function startJobWorker(
  tasks: Readonly<Record<string, Task>>,
  { logger, registry, knex, leaseSeconds = 15 }: JobWorkerOptions,
): AsyncDisposable {
  const names = Object.keys(tasks)
  const durations = createHistogram(registry, 'sociallogin_job_duration_seconds')
  const metrics = startJobMetrics(names, { logger, registry, knex })

  /** Takes jobs that are due, or whose worker is dead. */
  const leaseJobs = async (count: number): Promise<readonly LeasedJob[]> => {
    const { rows } = await knex.raw<{ rows: LeasedJob[] }>(
      `update jobs set attempts = attempts + 1, crashes = crashes + (leased_until is not null)::integer,
        lease = :lease, leased_until = now() + make_interval(secs => :leaseSeconds)
      where key in (
        select key from jobs
        where task = any(:names) and run_at <= now()
          and (leased_until is null
            or leased_until + make_interval(secs => least(2 ^ least(crashes, 20) - 1, :longestPauseSeconds)) < now())
        order by run_at limit :count for update skip locked)
      returning key, task, payload, lease, crashes`,
      { lease: randomUUID(), leaseSeconds, longestPauseSeconds, names, count },
    )
    for (const { task, crashes } of rows)
      if (crashes > 0) logger.error({ task, crashes }, 'the worker of a job ended while it ran; the job runs again')
    return rows
  }
  const renewLeases = async (running: readonly LeasedJob[]) => {
    if (running.length === 0) return
    // The end of a failed job keeps the lease's ID, and a renewal can wait for the row meanwhile.
    await knex.raw(
      `update jobs set leased_until = now() + make_interval(secs => :leaseSeconds)
      where key = any(:keys) and lease = any(:leases) and leased_until is not null`,
      {
        leaseSeconds,
        keys: running.map(({ key }) => key),
        leases: running.map(({ lease }) => lease),
      },
    )
  }
  const endLease = async ({ key, lease }: LeasedJob, succeeded: boolean) => {
    if (succeeded) await knex('jobs').where({ key, lease }).delete()
    else
      await knex.raw(
        // Citus rejects the sum of a time and an interval if a column is in it.
        `update jobs set leased_until = null, crashes = 0,
          run_at = to_timestamp(extract(epoch from now()) + least(2 ^ least(attempts, 20), ?))
        where key = ? and lease = ?`,
        [longestPauseSeconds, key, lease],
      )
  }
  const run = async (job: LeasedJob) => {
    const { task, payload } = job
    const stopTimer = durations.startTimer({ task })
    const succeeded = await inSpan({ name: `job ${task}`, kind: 'consumer' }, async () => tasks[task]?.(payload)).then(
      () => true,
      (error: unknown) => {
        logger.error({ error, task }, 'job failed; it is retried')
        return false
      },
    )
    stopTimer({ outcome: succeeded ? 'ok' : 'failed' })
    // If this fails, the lease ends and the job runs again.
    await endLease(job, succeeded).catch((error: unknown) => logger.warn({ error, task }, 'end of a job not stored'))
  }
  const worker = startLeaseWorker<LeasedJob>(
    { lease: (_, limit) => leaseJobs(limit), renew: renewLeases, work: run },
    { logger, rows: 'jobs', leaseSeconds, pollMs, leasedAtOnce: concurrency, concurrency },
  )
  return {
    async [Symbol.asyncDispose]() {
      metrics[Symbol.dispose]()
      await worker[Symbol.asyncDispose]()
    },
  }
}
