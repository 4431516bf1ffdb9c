import type { Knex } from 'knex'
import { insertEntry, type NewEntry } from './audit-trail.ts'

/** An entry of a move from another cell. */
type MoveEntry = NewEntry & { readonly after: { readonly move_id: string } }

/** Adds the entry, unless the trail has one of the same action and move: the other cell repeats what gets no answer. */
export async function insertMoveEntry(trx: Knex.Transaction, entry: MoveEntry): Promise<void> {
  const { account, site_id, action, after } = entry
  await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`${action} ${after.move_id}`])
  const earlier: unknown = await trx('audit_entries')
    .where({ account, site_id, action })
    .whereRaw(`after ->> 'move_id' = ?`, [after.move_id])
    .first('entry')
  if (earlier === undefined) await insertEntry(trx, entry)
}
