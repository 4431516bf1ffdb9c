import type { Knex } from 'knex'
import type { EventData, EventTypeName, EventUser, NewEvent } from '#contracts'
import { type Encryptor, newEventId } from '#runtime'
import { type EncryptedText, encryptedUnder } from './encryption/encrypted-values.ts'
import type { Migration } from './migrate.ts'
import { defineBatchStatement, splitBySite } from './site-batches.ts'
import { isNotFrozen } from './site-freeze.ts'
import { defineStatement } from './statement.ts'

/** An event to store in the transaction of its cause. */
export type EventToStore = {
  readonly [T in EventTypeName]: {
    readonly type: T
    readonly site: number
    readonly user: NewEvent['user']
    readonly merged_user?: EventUser
    readonly data: EventData<T>
    readonly time: Date
  }
}[EventTypeName]

/** Creates the table of a service's events that are not yet in the stream, and the lease of its relay. */
export function pendingEventsMigration(name: string): Migration {
  return {
    name,
    async up(knex) {
      await knex.raw(`
        create table pending_events (
          -- Assigned while the transaction holds the lock of the user, so that the events of a user are in order.
          id bigint generated always as identity,
          site integer not null,
          -- How the service names the user: identifier or link ID.
          subject text collate "C" not null,
          event jsonb not null,
          created_at timestamptz not null default clock_timestamp(),
          constraint pending_events_pk primary key (id, site)
        ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

        -- One row: the replica that sends the events, so that replicas do not send the same ones.
        create table event_relay (
          only_row boolean constraint event_relay_pk primary key default true constraint event_relay_one_row check (only_row),
          holder uuid,
          held_until timestamptz not null default '-infinity'
        );
        insert into event_relay default values`)
    },
  }
}

/**
 * The insert of an event, for a statement that writes its cause as well. Its parameters, from `$first` on, are
 * `toEventParameters`.
 *
 * @param source the name of a subquery without rows if there is no event
 */
export function insertOfEvent(first: number, source?: string): string {
  return `insert into pending_events (site, subject, event)
   select $${first}::integer, $${first + 1}, $${first + 2}::jsonb ${source === undefined ? '' : `from ${source}`}`
}

/** Site, subject and JSON of an event. */
export function toEventParameters({ time, ...event }: EventToStore): [number, string, string] {
  const stored: NewEvent = { ...event, id: newEventId(), time: time.toISOString() }
  return [event.site, subjectOf(event.user), JSON.stringify(stored)]
}

/** An event of a service that encrypts its pending events, as the JSON string that is stored. */
export function encryptEvent(encryptor: Pick<Encryptor, 'encrypt'>, event: string): string {
  return JSON.stringify(encryptor.encrypt(event, encryptionContext).toString('base64'))
}

/** An encrypted event is moved or repeated without harm: it contains its site, its user and its ID. */
const encryptionContext = ['pending_events']

export async function decryptEvent(
  encryptor: Pick<Encryptor, 'decrypt'> | undefined,
  event: NewEvent | string,
): Promise<NewEvent> {
  if (typeof event !== 'string') return event
  if (encryptor === undefined) throw new Error('A pending event is encrypted, but the service has no encryptor.')
  // `encryptEvent` wrote it.
  return JSON.parse(await encryptor.decrypt(Buffer.from(event, 'base64'), encryptionContext)) as NewEvent
}

const insertEach = defineStatement(
  `insert into pending_events (site, subject, event)
   select site, subject, event from unnest($1::integer[], $2::text[], $3::jsonb[]) with ordinality as given (site, subject, event, place)
   order by place`,
)

/**
 * Stores events in the transaction of their cause, which must hold the locks of their users: the relay then sends the events of
 * a user in the order of the commits. Call it last, because a transaction that waits afterwards delays the events.
 *
 * @param encryptor for events with personal data; the relay needs it as well
 */
export async function storeEvents(
  trx: Knex.Transaction,
  events: readonly EventToStore[],
  encryptor: Pick<Encryptor, 'encrypt'> | null = null,
): Promise<void> {
  if (events.length === 0) return
  const rows = events.map(toEventParameters)
  await insertEach(trx, [
    rows.map(([site]) => site),
    rows.map(([, subject]) => subject),
    rows.map(([, , event]) => (encryptor === null ? event : encryptEvent(encryptor, event))),
  ])
}

function subjectOf(user: NewEvent['user']): string {
  return 'link_id' in user ? user.link_id : user.identifier
}

/** A stored event, and how the service names its user. */
export interface PendingEvent {
  readonly id: number
  readonly site: number
  readonly subject: string
  readonly event: NewEvent
}

const selectFirst = defineStatement<Omit<PendingEvent, 'event'> & { readonly event: NewEvent | string }>(
  // Postgres hashes the rows of a subquery, and compares an array element by element.
  `select id, site, subject, event from pending_events
   where subject not in (select unnest($1::text[])) and ${isNotFrozen('site')} order by id limit $2`,
)

/** The first pending events of all sites, in order, without those of some users. */
export async function listPendingEvents(
  knex: Knex,
  { without, limit }: { readonly without: ReadonlySet<string>; readonly limit: number },
  encryptor?: Pick<Encryptor, 'decrypt'>,
): Promise<PendingEvent[]> {
  const { rows } = await selectFirst(knex, [[...without], limit])
  return Promise.all(rows.map(async (row) => ({ ...row, event: await decryptEvent(encryptor, row.event) })))
}

const deleteEach = defineBatchStatement(
  { id: 'bigint' },
  (given) => `delete from pending_events where (id, site) in (select id, site from ${given})`,
)

/** Removes events that are in the stream. */
export async function deletePendingEvents(
  knex: Knex,
  events: readonly Pick<PendingEvent, 'id' | 'site'>[],
): Promise<void> {
  for (const rows of splitBySite(knex, events)) await deleteEach(knex, rows)
}

/** The pending events of a service that encrypts them. */
export const encryptedPendingEvents: EncryptedText = {
  table: 'pending_events',
  base64: `case when jsonb_typeof(event) = 'string' then event #>> '{}' end`,
}

/** Deletes the events that a permanently lost key of the ring encrypts; they are lost. @returns how many */
export async function discardPendingEvents(knex: Knex, keyId: string): Promise<number> {
  return knex('pending_events')
    .where(encryptedUnder(knex, encryptedPendingEvents, keyId))
    .delete()
}

const holdLease = defineStatement(
  `update event_relay set holder = $1, held_until = now() + make_interval(secs => $2)
   where holder = $1 or held_until < now()`,
)
const releaseLease = defineStatement(`update event_relay set held_until = '-infinity' where holder = $1`)

/** Takes or extends the lease of the relay. @returns false if another replica holds it */
export async function holdRelay(knex: Knex, holder: string, seconds: number): Promise<boolean> {
  return (await holdLease(knex, [holder, seconds])).rowCount === 1
}

export async function releaseRelay(knex: Knex, holder: string): Promise<void> {
  await releaseLease(knex, [holder])
}
