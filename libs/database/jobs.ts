import type { Knex } from 'knex'
import type { Migration } from './migrate.ts'
import { defineStatement } from './statement.ts'

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

/** The table of a service's jobs. `lease` changes when a worker takes the job, and when another job replaces it. */
export const jobsMigration: Migration = {
  name: '0000-jobs',
  up: (knex) =>
    knex.schema.createTable('jobs', (table) => {
      table.text('key').primary({ constraintName: 'jobs_key' })
      table.text('task').notNullable()
      table.jsonb('payload').notNullable()
      table.timestamp('created_at').notNullable().defaultTo(knex.fn.now())
      table.timestamp('run_at').notNullable().index('jobs_run_at')
      table.integer('attempts').notNullable().defaultTo(0)
      table.uuid('lease').notNullable().defaultTo(knex.fn.uuid())
      table.timestamp('leased_until')
      // How many workers in a row died while they ran the job.
      table.integer('crashes').notNullable().defaultTo(0)
    }),
}

const upsertJobs = defineStatement(
  `insert into jobs (key, task, payload, run_at)
   select key, task, payload, now() + make_interval(secs => head_start)
   from unnest($1::text[], $2::text[], $3::jsonb[], $4::float8[]) as job (key, task, payload, head_start)
   on conflict on constraint jobs_key do update set task = excluded.task, payload = excluded.payload,
     created_at = excluded.created_at, run_at = excluded.run_at, attempts = 0, crashes = 0, lease = excluded.lease,
     leased_until = null`,
)
const selectJobs = defineStatement<Omit<Job, 'immediate'>>('select key, task, payload from jobs where key = any($1)')
const deleteJobs = defineStatement('delete from jobs where key = any($1)')

/** Enqueues a job, in the transaction of the change that needs it, if any. */
export async function enqueueJob(knex: Knex, job: Job): Promise<void> {
  await enqueueJobs(knex, [job])
}

/** As `enqueueJob`, in one statement. The keys must differ. */
export async function enqueueJobs(knex: Knex, jobs: readonly Job[]): Promise<void> {
  if (jobs.length === 0) return
  await upsertJobs(knex, [
    jobs.map(({ key }) => key),
    jobs.map(({ task }) => task),
    jobs.map(({ payload }) => JSON.stringify(payload)),
    jobs.map(({ immediate }) => (immediate ? 0 : headStartSeconds)),
  ])
}

/** The jobs with these keys whose work is not done. */
export async function findJobs(knex: Knex, keys: readonly string[]): Promise<Omit<Job, 'immediate'>[]> {
  return (await selectJobs(knex, [keys])).rows
}

/** Removes a job whose work is done. @returns false if it was removed before */
export async function removeJob(knex: Knex, key: string): Promise<boolean> {
  return (await deleteJobs(knex, [[key]])).rowCount === 1
}

/** Removes jobs whose work is done, in one statement. */
export async function removeJobs(knex: Knex, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await deleteJobs(knex, [keys])
}

/** Retries failed jobs of these tasks immediately, because the service that they need is available again. */
export async function retryJobs(knex: Knex, tasks: readonly string[]): Promise<void> {
  await knex('jobs')
    .whereIn('task', tasks)
    .where('attempts', '>', 0)
    .whereNull('leased_until')
    .update({ run_at: knex.fn.now() })
}
