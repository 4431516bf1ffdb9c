import type { Call } from '#bus'
import { type EventTypeName, Fault, type HistoryEntry } from '#contracts'
import type { Deps } from '../deps.ts'
import type { EndUser } from './visit.ts'

/** What end users did, or what concerns them, as opposed to what their data became. */
const shownTypes = [
  'user.created',
  'user.logged_in',
  'user.linked',
  'user.unlinked',
  'user.consents_changed',
  'user.sessions_ended',
  'user.data_downloaded',
  'user.access_removed',
  'user.deletion_requested',
  'user.deletion_canceled',
] as const satisfies readonly EventTypeName[]

/** Our choice. */
const shownEntries = 10

export type ShownEventType = (typeof shownTypes)[number]

/** The latest actions of the end user, the latest first; none while the events service is unavailable, without which the page works. */
export async function listActivity(
  { session: { site, identifier } }: EndUser,
  { events, logger }: Pick<Deps, 'events' | 'logger'>,
  call: Call,
): Promise<readonly HistoryEntry[]> {
  try {
    const query = { site, identifier, types: [...shownTypes], limit: shownEntries }
    return (await events.listUserHistory(query, call)).entries
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    logger.warn({ error, request_id: call.request_id }, 'the account page shows no activity')
    return []
  }
}
