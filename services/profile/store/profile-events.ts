import type { Knex } from 'knex'
import { type EventToStore, storeEvents } from '#database'
import { listChangedItems } from '../domain/changed-items.ts'
import { isProfileInEvents } from './event-settings.ts'
import type { StoreTools } from './store-tools.ts'
import type { StoredProfile } from './stored-profile.ts'

/** A locked profile, and what changed. */
export interface ProfileChange {
  readonly before: StoredProfile
  readonly after: Partial<Pick<StoredProfile, 'combined' | 'update_count' | 'last_updated_at' | 'prohibited'>>
}

/** Stores the events of changes of locked profiles of one site, in their order. */
export async function storeProfileEvents(
  trx: Knex.Transaction,
  { eventEncryptor }: StoreTools,
  changes: readonly ProfileChange[],
): Promise<void> {
  const events = changes.flatMap(toEvents)
  const [first] = events
  if (first === undefined) return
  const withValues = events.some(({ type }) => type === 'profile.updated') && (await isProfileInEvents(trx, first.site))
  await storeEvents(trx, withValues ? events : events.map(removeValues), eventEncryptor)
}

function toEvents({ before: stored, after }: ProfileChange): EventToStore[] {
  const { site, identifier, ...before } = stored
  const { combined = before.combined, update_count = before.update_count, prohibited = before.prohibited } = after
  const changed = combined === null ? [] : listChangedItems(before.combined, combined)
  const of = { site, user: { identifier }, time: after.last_updated_at ?? new Date() }
  return [
    ...(combined !== null && changed.length > 0
      ? [{ type: 'profile.updated' as const, ...of, data: { changed, update_count, values: combined } }]
      : []),
    ...(combined === null && before.combined !== null ? [{ type: 'profile.deleted' as const, ...of, data: {} }] : []),
    ...(prohibited !== before.prohibited
      ? [{ type: 'profile.prohibition_changed' as const, ...of, data: { profile_prohibited: prohibited } }]
      : []),
  ]
}

function removeValues(event: EventToStore): EventToStore {
  if (event.type !== 'profile.updated') return event
  const { values: _, ...data } = event.data
  return { ...event, data }
}
