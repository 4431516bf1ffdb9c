import { run as runWorker, Logger as WorkerLogger } from 'graphile-worker'
import type { Knex } from 'knex'
import type { Registry } from 'prom-client'
import { createHistogram, inSpan, type Logger } from '#runtime'
import { startJobMetrics } from './job-metrics.ts'

/** Work that must happen even if this process ends first. It can run twice, so it must be idempotent. */
export interface Job {
  readonly task: string
  readonly payload: Readonly<Record<string, unknown>>
  /** Identifies the job: a second job with the key replaces the first, and `removeJob` finds it. */
  readonly key: string
  /** Workers start the job immediately, because the process that enqueues it does not do the work itself. */
  readonly immediate?: true
}

/** Time in which the process that enqueued a job can do the work itself before a worker starts it. Our choice. */
const headStartSeconds = 15

/** Enqueues a job in the transaction of the change that needs it. */
export async function enqueueJob(trx: Knex.Transaction, { task, payload, key, immediate }: Job): Promise<void> {
  await trx.raw(
    `select graphile_worker.add_job(?, ?::json, run_at => now() + make_interval(secs => ?), job_key => ?)`,
    [task, JSON.stringify(payload), immediate ? 0 : headStartSeconds, key],
  )
}

/** Removes a job whose work is done. */
export async function removeJob(knex: Knex, key: string): Promise<void> {
  await knex.raw('select graphile_worker.remove_job(?)', [key])
}

/** SQL that selects the payloads of all jobs (`payload json`), to inspect the stored data. */
export const jobPayloadsQuery = 'select payload from graphile_worker._private_jobs'

/** Runs one kind of job. If it throws, the job is retried with increasing delays. */
export type Task = (payload: unknown) => Promise<void>

/** Runs a database's jobs until disposed, which finishes running jobs. */
export async function startJobWorker(
  url: string,
  tasks: Readonly<Record<string, Task>>,
  { logger, registry, knex }: { readonly logger: Logger; readonly registry: Registry; readonly knex: Knex },
): Promise<AsyncDisposable> {
  const durations = createHistogram(registry, 'sociallogin_job_duration_seconds')
  const runTask = async (name: string, task: Task, payload: unknown) => {
    const stopTimer = durations.startTimer({ task: name })
    try {
      await task(payload)
      stopTimer({ outcome: 'ok' })
    } catch (error) {
      stopTimer({ outcome: 'failed' })
      throw error
    }
  }
  const metrics = startJobMetrics(Object.keys(tasks), { logger, registry, knex })
  const runner = await runWorker({
    connectionString: url,
    taskList: Object.fromEntries(
      Object.entries(tasks).map(([name, task]) => [
        name,
        (payload: unknown) => inSpan({ name: `job ${name}`, kind: 'consumer' }, () => runTask(name, task, payload)),
      ]),
    ),
    concurrency: 4,
    maxPoolSize: 4,
    pollInterval: 2_000,
    noHandleSignals: true,
    logger: new WorkerLogger(({ jobId, taskIdentifier }) => (level, _message, meta) => {
      // The message can contain the payload; the fields cannot.
      if (level === 'error') logger.error({ job: jobId, task: taskIdentifier, error: meta?.error }, 'job failed')
    }),
  })
  return {
    async [Symbol.asyncDispose]() {
      metrics[Symbol.dispose]()
      await runner.stop()
    },
  }
}
