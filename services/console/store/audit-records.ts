import type { Knex } from 'knex'
import { defineStatement, transaction } from '#database'
import { type StoredEntry, selectEntryColumns } from './audit-trail.ts'

/** Records that one transaction places. Our choice. */
const placedAtOnce = 1_000

const lockPlacement = defineStatement<{ last_position: number }>('select last_position from audit_placement for update')
const tryLockPlacement = defineStatement<{ last_position: number }>(
  'select last_position from audit_placement for update skip locked',
)
const deleteSuperseded = defineStatement(
  `delete from audit_records r where position is null and part = 'entry'
   and exists (select from audit_outcomes x where x.entry = r.entry)`,
)
const placeDue = defineStatement(
  `update audit_records r set position = $1::bigint + due.place
   from (
     select record, row_number() over (order by record) as place from (
       select record from audit_records where position is null and due_at <= clock_timestamp() order by record limit $2
     ) as first
   ) as due
   where r.record = due.record`,
)
const storePlacement = defineStatement('update audit_placement set last_position = last_position + $1')

/**
 * Numbers the records that are due, without gaps. One transaction at a time does, and the numbers continue those of the one before:
 * a reader that sees a position sees all smaller ones, in any order of the commits of the entries. An entry whose outcome is known by
 * then has one record, that of the outcome.
 */
export async function placeAuditRecords(knex: Knex): Promise<void> {
  const placeNext = () =>
    transaction(knex, async (trx) => {
      const [placement] = (await tryLockPlacement(trx, [])).rows
      // Without a lock, another replica places them.
      return placement === undefined ? 0 : placeLocked(trx, placement.last_position)
    })
  while ((await placeNext()) === placedAtOnce);
}

/**
 * Numbers all records that are due, in a transaction that adds a stream: none is placed by others until it ends.
 *
 * @returns the last position
 */
export async function placeAllAuditRecords(trx: Knex.Transaction): Promise<number> {
  const [placement] = (await lockPlacement(trx, [])).rows
  let position = placement?.last_position ?? 0
  for (;;) {
    const placed = await placeLocked(trx, position)
    position += placed
    if (placed < placedAtOnce) return position
  }
}

/** @returns how many were placed */
async function placeLocked(trx: Knex.Transaction, lastPosition: number): Promise<number> {
  await deleteSuperseded(trx, [])
  const placed = (await placeDue(trx, [lastPosition, placedAtOnce])).rowCount ?? 0
  if (placed > 0) await storePlacement(trx, [placed])
  return placed
}

/** An entry, or its outcome, in the order of streams. */
export interface StoredRecord extends StoredEntry {
  readonly record_id: string
  readonly part: 'entry' | 'outcome'
  readonly position: number
  /** When the entry, or the outcome, was added. */
  readonly recorded_at: Date
}

/** The records after a position; of one account, or of all. */
export function listAuditRecords(
  knex: Knex,
  { account, after, limit }: { readonly account: string | null; readonly after: number; readonly limit: number },
): Promise<StoredRecord[]> {
  return knex('audit_records as r')
    .join('audit_entries as e', 'e.entry', 'r.entry')
    .leftJoin('audit_outcomes as x', (on) => {
      on.on('x.entry', 'r.entry').andOnVal('r.part', 'outcome')
    })
    .where('r.position', '>', after)
    .modify((query) => {
      if (account !== null) query.where('r.account', account)
    })
    .orderBy('r.position')
    .limit(limit)
    .select<StoredRecord[]>(
      'r.record_id',
      'r.part',
      'r.position',
      knex.raw('coalesce(x.at, e.at) as recorded_at'),
      ...selectEntryColumns(knex),
    )
}

/** Where a stream begins: with the records of a time or an entry on, or with those that follow. */
export interface Beginning {
  readonly time: string | undefined
  readonly entry: string | undefined
}

/** The position before the first record of a beginning; undefined if there is none yet. */
export async function findCursor(trx: Knex.Transaction, { time, entry }: Beginning): Promise<number | undefined> {
  if (time === undefined && entry === undefined) return undefined
  const first: { cursor: number | null } | undefined = await trx('audit_records as r')
    .join('audit_entries as e', 'e.entry', 'r.entry')
    .modify((query) => {
      if (time !== undefined) query.where('e.at', '>=', time)
      if (entry !== undefined) query.where('e.entry', '>=', entry)
    })
    .first(trx.raw('min(r.position) - 1 as cursor'))
  return first?.cursor ?? undefined
}
