import { run as runWorker, Logger as WorkerLogger } from 'graphile-worker'
import type { Knex } from 'knex'
import type { Registry } from 'prom-client'
import { createHistogram, inSpan, type Logger } from '#runtime'
import { startJobMetrics } from './job-metrics.ts'

/** Work that must happen although this process may end first. It may run twice, so it must not matter when it does. */
export interface Job {
  readonly task: string
  readonly payload: Readonly<Record<string, unknown>>
  /** Names this very piece of work: a second job of the key replaces the first, and `dropJob` finds it. */
  readonly key: string
  /** Nobody does the work before a worker takes it up. */
  readonly immediate?: true
}

/** Time the one who enqueued a job has to do the work at once and drop it, before a worker takes it up. Our choice. */
const headStartSeconds = 15

/** Enqueues a job in the transaction that makes it necessary: both happen or neither. */
export async function enqueueJob(trx: Knex.Transaction, { task, payload, key, immediate: atOnce }: Job): Promise<void> {
  await trx.raw(
    `select graphile_worker.add_job(?, ?::json, run_at => now() + make_interval(secs => ?), job_key => ?)`,
    [task, JSON.stringify(payload), atOnce ? 0 : headStartSeconds, key],
  )
}

/** Forgets a job whose work was done meanwhile. */
export async function removeJob(knex: Knex, key: string): Promise<void> {
  await knex.raw('select graphile_worker.remove_job(?)', [key])
}

/** An SQL query of the payloads of all jobs there are, as `payload json`; for a look at what is kept in them. */
export const jobPayloadsQuery = 'select payload from graphile_worker._private_jobs'

/** Does one kind of job; a throw brings it back later, with growing pauses. */
export type Task = (payload: unknown) => Promise<void>

/** Works on a database's jobs until disposed; those in work are finished first. */
export async function startJobWorker(
  url: string,
  tasks: Readonly<Record<string, Task>>,
  { logger, registry, knex }: { readonly logger: Logger; readonly registry: Registry; readonly knex: Knex },
): Promise<AsyncDisposable> {
  const durations = createHistogram(registry, 'sociallogin_event_processing_seconds')
  const measured = async (name: string, task: Task, payload: unknown) => {
    const took = durations.startTimer({ consumer: name })
    try {
      await task(payload)
      took({ outcome: 'ok' })
    } catch (error) {
      took({ outcome: 'failed' })
      throw error
    }
  }
  const counting = startJobMetrics(Object.keys(tasks), { logger, registry, knex })
  const runner = await runWorker({
    connectionString: url,
    taskList: Object.fromEntries(
      Object.entries(tasks).map(([name, task]) => [
        name,
        (payload: unknown) => inSpan({ name: `job ${name}`, kind: 'consumer' }, () => measured(name, task, payload)),
      ]),
    ),
    concurrency: 4,
    maxPoolSize: 4,
    pollInterval: 2_000,
    noHandleSignals: true,
    logger: new WorkerLogger(({ jobId, taskIdentifier }) => (level, _message, meta) => {
      // The message can hold what a job was about; the facts can not.
      if (level === 'error') logger.error({ job: jobId, task: taskIdentifier, error: meta?.error }, 'job queue')
    }),
  })
  return {
    async [Symbol.asyncDispose]() {
      counting[Symbol.dispose]()
      await runner.stop()
    },
  }
}
