import type { Knex } from 'knex'
import { z } from 'zod'
import type { Encryptor } from '#runtime'
import { decryptPayload, EncryptedPayload, encryptPayload } from '../encrypted-payload.ts'
import { enqueueJobs } from '../jobs.ts'
import { decryptEvent, encryptEvent } from '../pending-events.ts'
import { passFreeze } from '../site-freeze.ts'

/** Rows of one message. Our choice. */
const batchSize = 100

type Values = Pick<Encryptor, 'encrypt' | 'decrypt'>

/** Work that a site has left when it is frozen, and that the other cell does: its jobs, and its events that are not in the stream. */
export const queueNames = ['jobs', 'pending_events'] as const
export type QueueName = (typeof queueNames)[number]

export interface QueueOptions {
  /** Encrypts the payloads of jobs; absent: they are plain. */
  readonly jobs?: Values
  /** Encrypts pending events; absent: they are plain. */
  readonly events?: Values | null
  /** Tasks whose work belongs to the cell. */
  readonly ownTasks?: readonly string[]
}

interface QueueBatch {
  readonly items: readonly unknown[]
  /** Null: nothing is left. */
  readonly next: string | null
}

const MovedJob = z.object({
  key: z.string(),
  task: z.string(),
  payload: z.record(z.string(), z.unknown()),
  input: z.record(z.string(), z.unknown()),
})
type MovedJob = z.infer<typeof MovedJob>
const MovedEvent = z.object({ subject: z.string(), event: z.record(z.string(), z.unknown()) })

/** Jobs of a site, in the order of their keys, decrypted. Those of other sites are skipped. */
export async function readJobs(
  knex: Knex,
  { site, after }: { readonly site: number; readonly after: string },
  { jobs, ownTasks = [] }: QueueOptions,
): Promise<QueueBatch> {
  const rows: { key: string; task: string; payload: MovedJob['payload'] }[] = await knex('jobs')
    .where('key', '>', after)
    .whereNotIn('task', [...ownTasks])
    .orderBy('key')
    .limit(batchSize)
    .select('key', 'task', 'payload')
  const items = await Promise.all(
    rows.map(async (job): Promise<MovedJob> => ({ ...job, input: await readInput(job.payload, jobs) })),
  )
  return {
    items: items.filter(({ input }) => input.site === site),
    next: rows.length < batchSize ? null : (rows.at(-1)?.key ?? null),
  }
}

async function readInput(payload: MovedJob['payload'], encryptor: Values | undefined): Promise<MovedJob['input']> {
  const { input } = payload
  if (encryptor !== undefined && EncryptedPayload.safeParse(payload).success)
    return z.record(z.string(), z.unknown()).parse(await decryptPayload(encryptor, payload))
  const plain = z.record(z.string(), z.unknown()).safeParse(input)
  return plain.success ? plain.data : payload
}

/** Enqueues jobs of a site that moved here, under the number that it has here. */
export async function storeJobs(
  trx: Knex.Transaction,
  { site, from, items }: { readonly site: number; readonly from: number; readonly items: readonly unknown[] },
  { jobs }: QueueOptions,
): Promise<void> {
  const moved = items.map((item) => {
    const { key: oldKey, task, payload, input: oldInput } = MovedJob.parse(item)
    const key = oldKey
      .split(':')
      .map((part) => (part === String(from) ? String(site) : part))
      .join(':')
    const input = { ...oldInput, site }
    if (jobs !== undefined && EncryptedPayload.safeParse(payload).success)
      return { key, task, payload: { ...payload, ...encryptPayload(jobs, key, input) } }
    return { key, task, payload: 'input' in payload ? { ...payload, input } : { ...payload, site } }
  })
  await enqueueJobs(trx, moved)
}

/** Deletes the jobs of a site. */
export async function deleteJobs(knex: Knex, site: number, options: QueueOptions): Promise<void> {
  for (let after: string | null = ''; after !== null; ) {
    const batch: QueueBatch = await readJobs(knex, { site, after }, options)
    const keys = batch.items.map((item) => MovedJob.parse(item).key)
    if (keys.length > 0) await knex('jobs').whereIn('key', keys).delete()
    after = batch.next
  }
}

/** Events of a site that are not in the stream yet, in their order. */
export async function readPendingEvents(
  knex: Knex,
  { site, after }: { readonly site: number; readonly after: string },
  { events }: QueueOptions,
): Promise<QueueBatch> {
  const rows: { id: string; subject: string; event: never }[] = await knex('pending_events')
    .where({ site })
    .where('id', '>', after === '' ? 0 : after)
    .orderBy('id')
    .limit(batchSize)
    .select('id', 'subject', 'event')
  const items = rows.map(async ({ subject, event }) => ({
    subject,
    event: await decryptEvent(events ?? undefined, event),
  }))
  return {
    items: await Promise.all(items),
    next: rows.length < batchSize ? null : String(rows.at(-1)?.id),
  }
}

export async function storePendingEvents(
  trx: Knex.Transaction,
  { site, items }: { readonly site: number; readonly items: readonly unknown[] },
  { events }: QueueOptions,
): Promise<void> {
  await passFreeze(trx)
  for (const item of items) {
    const { subject, event } = MovedEvent.parse(item)
    const text = JSON.stringify({ ...event, site })
    await trx.raw('insert into pending_events (site, subject, event) values (?, ?, ?::jsonb)', [
      site,
      subject,
      events ? encryptEvent(events, text) : text,
    ])
  }
}

/** Deletes the pending events of a frozen site. */
export async function deletePendingEventsOf(trx: Knex.Transaction, site: number): Promise<void> {
  await passFreeze(trx)
  await trx('pending_events').where({ site }).delete()
}
