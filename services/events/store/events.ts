import type { Knex } from 'knex'
import type { EventTypeName, StreamEvent } from '#contracts'
import {
  defineBatchStatement,
  defineStatement,
  destroyPersonalKeys,
  type Executor,
  isNotFrozen,
  keyOfSubject,
  type PersonalColumn,
  type PersonalData,
} from '#database'
import type { Erasure, PlacedEvent, UserState } from '../domain/place-events.ts'

const selectIds = defineBatchStatement<{ id: string }, 'id'>(
  { id: 'uuid' },
  (given) => `select id from events where (site, id) in (select site, id from ${given})`,
)

/** The IDs of those events that are in the locked streams of their sites. */
export async function listRecordedIds(
  trx: Knex.Transaction,
  events: readonly { readonly site: number; readonly id: string }[],
): Promise<ReadonlySet<string>> {
  return new Set((await selectIds(trx, events)).map(({ id }) => id))
}

const insertEach = defineStatement(
  `insert into events (site, sequence, id, type, "time", identifier, user_sequence, primary_key, merged_identifier,
     merged_primary_key, data)
   select * from unnest($1::integer[], $2::bigint[], $3::uuid[], $4::text[], $5::timestamptz[], $6::text[], $7::integer[],
     $8::text[], $9::text[], $10::text[], $11::jsonb[])`,
)

/** Adds events to the locked streams of their sites. @param eventData encrypts `events.data`; the subjects are users */
export async function insertEvents(
  trx: Knex.Transaction,
  eventData: PersonalData,
  events: readonly PlacedEvent[],
): Promise<void> {
  // Empty data contains nothing about the user, and `user.deleted` must not create a key again.
  const withData = events.filter(({ data }) => Object.keys(data).length > 0)
  const encrypted = await eventData.encrypt(
    trx,
    withData.map(({ site, user, data }) => ({ site, subject: user.identifier, data })),
  )
  const written = new Map(withData.map(({ id }, place) => [id, encrypted[place]]))
  await insertEach(trx, [
    events.map(({ site }) => site),
    events.map(({ sequence }) => sequence),
    events.map(({ id }) => id),
    events.map(({ type }) => type),
    events.map(({ time }) => time),
    events.map(({ user }) => user.identifier),
    events.map(({ user_sequence }) => user_sequence),
    events.map(({ user }) => user.primary_key),
    events.map(({ merged_user }) => merged_user?.identifier ?? null),
    events.map(({ merged_user }) => merged_user?.primary_key ?? null),
    events.map(({ id }) => written.get(id) ?? '{}'),
  ])
}

const eraseEach = defineBatchStatement(
  { identifier: 'text', before: 'bigint' },
  (given) =>
    `update events set primary_key = null, merged_primary_key = null, data = null from ${given}
     where events.site = given.site and events.identifier = given.identifier and events.sequence < given.before`,
)

/** Deletes the personal data of earlier events of removed users. */
export async function eraseEvents(trx: Knex.Transaction, erasures: readonly Erasure[]): Promise<void> {
  await eraseEach(trx, erasures)
}

/** Destroys the keys of removed users, whose events were erased. */
export async function destroyKeysOfUsers(trx: Knex.Transaction, users: readonly UserState[]): Promise<void> {
  const removed = users.filter((user) => user.removed)
  for (const [site, ofSite] of Map.groupBy(removed, (user) => user.site))
    await destroyPersonalKeys(
      trx,
      site,
      ofSite.map(({ identifier }) => identifier),
    )
}

/** An event as it is stored; its data may be encrypted. */
export interface EventRow {
  readonly sequence: number
  readonly id: string
  readonly type: EventTypeName
  readonly time: Date
  readonly identifier: string
  readonly user_sequence: number
  readonly primary_key: string | null
  readonly merged_identifier: string | null
  readonly merged_primary_key: string | null
  readonly data: PersonalColumn<Record<string, unknown>>
  readonly key_encrypted: Buffer | null
}

const columnNames = [
  'sequence',
  'id',
  'type',
  '"time"',
  'identifier',
  'user_sequence',
  'primary_key',
  'merged_identifier',
  'merged_primary_key',
  'data',
]
/** The columns of an `EventRow` of the site `$1`, of the table or of its alias. */
export const eventColumns = (table: string) =>
  [...columnNames.map((name) => `${table}.${name}`), keyOfSubject(`${table}.identifier`)].join(', ')
const columns = eventColumns('events')
const define = (condition: string) =>
  defineStatement<EventRow>(
    `select ${columns} from events where site = $1 and sequence > $2 and sequence <= $3 ${condition} order by sequence limit $4`,
  )
const selectAll = define('')
const selectOfTypes = define('and type = any($5)')
const selectOfUser = defineStatement<EventRow>(
  `select * from (
     select ${columns} from events where site = $1 and identifier = $5 and sequence > $2 and sequence <= $3
     union all
     select ${columns} from events where site = $1 and merged_identifier = $5 and sequence > $2 and sequence <= $3
   ) as of_user
   where $6::text[] is null or type = any($6) order by sequence limit $4`,
)

/** Selects events of a site. */
export interface EventFilter {
  readonly site: number
  /** Exclusive and inclusive. */
  readonly from: number
  readonly to: number
  readonly types: readonly EventTypeName[] | undefined
  readonly identifier: string | undefined
}

/** The first events that match, in order. */
export async function selectEvents(
  executor: Executor,
  eventData: PersonalData,
  { site, from, to, types, identifier }: EventFilter,
  limit: number,
): Promise<StreamEvent[]> {
  const range = [site, from, to, limit]
  const selecting =
    identifier !== undefined
      ? selectOfUser(executor, [...range, identifier, types ?? null])
      : types === undefined
        ? selectAll(executor, range)
        : selectOfTypes(executor, [...range, types])
  return Promise.all((await selecting).rows.map((row) => toEvent(executor, eventData, site, row)))
}

/** @returns the event; without data if it was erased, or its key was destroyed */
export async function toEvent(
  executor: Executor,
  eventData: PersonalData,
  site: number,
  row: EventRow,
): Promise<StreamEvent> {
  const { sequence, id, type, time, identifier, user_sequence, primary_key, merged_identifier } = row
  return {
    id,
    type,
    time: time.toISOString(),
    sequence,
    user_sequence,
    data: await eventData.decrypt(executor, { ...row, site, subject: identifier }),
    user: { identifier, primary_key },
    ...(merged_identifier !== null && {
      merged_user: { identifier: merged_identifier, primary_key: row.merged_primary_key },
    }),
  }
}

/** The sites whose oldest event is older than so many days. */
export async function listSitesWithOldEvents(knex: Knex, days: number): Promise<number[]> {
  const { rows } = await knex.raw<{ rows: { site: number }[] }>(
    `select s.site from sites s
     cross join lateral (select recorded_at from events e where e.site = s.site order by sequence limit 1) as oldest
     where recorded_at < now() - make_interval(days => :days) and ${isNotFrozen('s.site')} order by s.site`,
    { days },
  )
  return rows.map(({ site }) => site)
}

const selectOldest = defineStatement<{ sequence: number | null }>(
  `select max(sequence) as sequence from (
     select sequence, recorded_at from events where site = $1 order by sequence limit $2
   ) as oldest
   where recorded_at < now() - make_interval(days => $3)`,
)
const deleteUpTo = defineStatement('delete from events where site = $1 and sequence <= $2')

/** Deletes at most `limit` events of a locked stream that are older than so many days. @returns the number of the last one */
export async function deleteOldEvents(
  trx: Knex.Transaction,
  site: number,
  { days, limit }: { readonly days: number; readonly limit: number },
): Promise<number | undefined> {
  const [oldest] = (await selectOldest(trx, [site, limit, days])).rows
  if (oldest === undefined || oldest.sequence === null) return undefined
  await deleteUpTo(trx, [site, oldest.sequence])
  return oldest.sequence
}
