import { isUndelivered } from '#bus'
import type { Deps } from '../deps.ts'
import type { Actor } from '../handlers/admin-handler.ts'
import {
  type EntryOutcome,
  insertOutcome,
  insertPendingEntry,
  type NewEntry,
  type RecordedChange,
} from '../store/audit-trail.ts'
import { toAdminFault } from './errors.ts'

type Audits = Pick<Actor, 'audit' | 'auditIn'>

/**
 * Adds an entry to the audit trail, runs the change, then records the outcome, so that no change is missing in the trail. For changes of
 * the console's own database, the outcome is part of their transaction (`auditIn`). For changes of another service it follows: if it is
 * unknown or cannot be written, the entry has no outcome.
 */
export async function runAudited<T>(
  entry: Omit<NewEntry, 'at'>,
  { knex, now, logger }: Pick<Deps, 'knex' | 'now' | 'logger'>,
  change: (audits: Audits) => Promise<T>,
): Promise<T> {
  const entryId = await insertPendingEntry(knex, { ...entry, at: now() })
  let recorded: RecordedChange = { before: entry.before, after: entry.after }
  let isRecorded = false
  const recordOutcome = async (end: EntryOutcome) => {
    const { action, request_id } = entry
    await insertOutcome(knex, entryId, end).catch((error: unknown) =>
      logger.error({ error, entry: entryId, action, request_id }, 'outcome of a change is not in the audit trail'),
    )
  }
  const audits: Audits = {
    audit: (before, after) => {
      recorded = { before, after }
    },
    auditIn: async (trx, before, after) => {
      await insertOutcome(trx, entryId, { at: now(), outcome: 'succeeded', before, after })
      isRecorded = true
    },
  }
  try {
    const result = await change(audits)
    // Return the result even if the outcome cannot be recorded: secrets are returned only once.
    if (!isRecorded) await recordOutcome({ at: now(), outcome: 'succeeded', ...recorded })
    return result
  } catch (error) {
    const fault = toAdminFault(error)?.fault
    // A service that did not respond may have made the change; if the request was not delivered, it has not.
    const isUnchanged = fault !== undefined && (fault !== 'unavailable' || isUndelivered(error))
    if (isUnchanged) await recordOutcome({ at: now(), outcome: 'rejected', fault })
    throw error
  }
}
