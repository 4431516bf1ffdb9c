import { isUndelivered } from '#bus'
import type { Deps } from '../deps.ts'
import type { Actor } from '../handlers/procedure.ts'
import { beginEntry, type End, endEntry, type NewEntry, type Told } from '../store/audit-trail.ts'
import { refusalOf } from './refusals.ts'

type Audits = Pick<Actor, 'audit' | 'auditIn'>

/**
 * Carries out a change that is in the audit trail before it begins, so that nothing is ever changed without an entry, and then
 * how it ended. The end of a change of our own database stands in its transaction (`auditIn`). Of another service's change it
 * follows: an end that cannot be written down, or is not known, leaves the entry without one.
 */
export async function audited<T>(
  entry: Omit<NewEntry, 'at'>,
  { knex, now, logger }: Pick<Deps, 'knex' | 'now' | 'logger'>,
  change: (audits: Audits) => Promise<T>,
): Promise<T> {
  const begun = await beginEntry(knex, { ...entry, at: now() })
  let told: Told = { before: entry.before, after: entry.after }
  let ended = false
  const note = async (end: End) => {
    const { act, request_id } = entry
    await endEntry(knex, begun, end).catch((error: unknown) =>
      logger.error({ error, entry: begun, act, request_id }, 'how a change ended is not in the audit trail'),
    )
  }
  const audits: Audits = {
    audit: (before, after) => {
      told = { before, after }
    },
    auditIn: async (trx, before, after) => {
      await endEntry(trx, begun, { at: now(), outcome: 'done', before, after })
      ended = true
    },
  }
  try {
    const answer = await change(audits)
    // The change is done, and the caller learns that: a secret in the answer is told this once.
    if (!ended) await note({ at: now(), outcome: 'done', ...told })
    return answer
  } catch (error) {
    const fault = refusalOf(error)?.fault
    // A service that gave no answer may have done it all the same; one that was not there has not.
    const isUndone = fault !== undefined && (fault !== 'unavailable' || isUndelivered(error))
    if (isUndone) await note({ at: now(), outcome: 'refused', fault })
    throw error
  }
}
