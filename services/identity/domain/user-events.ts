import type { Consent, DeletionCause, EventUser, Provider, StoredMetadata, User } from '#contracts'
import type { EventToStore } from '#database'
import { toTimestamp } from '#runtime'

/** A user at a change, after it. */
interface ChangedUser extends EventUser {
  readonly site: number
  readonly time: Date
}

function ofUser({ site, identifier, primary_key, time }: ChangedUser) {
  return { site, time, user: { identifier, primary_key } }
}

/** The only event of a new user: it says all that the user has. */
export function createdEvent(
  user: ChangedUser & { readonly created_at: Date },
  createdBy: 'login' | 'web_api' | 'import',
  providers: readonly Provider[],
): EventToStore {
  const created = { created_by: createdBy, created_at: toTimestamp(user.created_at), providers: [...providers] }
  return { type: 'user.created', ...ofUser(user), data: created }
}

/** The event of a changed `primary_key`; undefined if it is as before. */
export function mappingEvent(user: ChangedUser, before: string | null): EventToStore | undefined {
  const { primary_key } = user
  if (primary_key === before) return undefined
  if (primary_key !== null)
    return { type: 'user.mapped', ...ofUser(user), data: { primary_key, previous_primary_key: before } }
  return before === null
    ? undefined
    : { type: 'user.unmapped', ...ofUser(user), data: { previous_primary_key: before } }
}

export function linkedEvents(user: ChangedUser, providers: readonly Provider[]): EventToStore[] {
  return providers.map((provider) => ({ type: 'user.linked', ...ofUser(user), data: { provider } }))
}

export function unlinkedEvents(user: ChangedUser, providers: readonly Provider[]): EventToStore[] {
  return providers.map((provider) => ({ type: 'user.unlinked', ...ofUser(user), data: { provider } }))
}

/** The events of a login, in order, after that of a new user. */
export function loginEvents(
  { site }: Pick<ChangedUser, 'site'>,
  user: User,
  { provider, linked, at }: { provider: Provider; linked: boolean; at: Date },
): EventToStore[] {
  const changed = { ...user, site, time: at }
  return [
    ...linkedEvents(changed, linked ? [provider] : []),
    { type: 'user.logged_in', ...ofUser(changed), data: { provider, login_count: user.login_count } },
  ]
}

export function blockedEvent(user: ChangedUser, until: string | null): EventToStore {
  return { type: 'user.blocked', ...ofUser(user), data: { until } }
}

export function unblockedEvent(user: ChangedUser): EventToStore {
  return { type: 'user.unblocked', ...ofUser(user), data: {} }
}

/** @param metadata after the change, and the client whose application made it with the user's access token */
export function metadataChangedEvent(
  user: ChangedUser,
  metadata: StoredMetadata & { readonly client_id?: string | undefined },
): EventToStore {
  return { type: 'user.metadata_changed', ...ofUser(user), data: metadata }
}

export function deletionRequestedEvent(user: ChangedUser, deleteAt: Date, cause: DeletionCause): EventToStore {
  return { type: 'user.deletion_requested', ...ofUser(user), data: { delete_at: toTimestamp(deleteAt), cause } }
}

export function deletionCanceledEvent(user: ChangedUser): EventToStore {
  return { type: 'user.deletion_canceled', ...ofUser(user), data: {} }
}

/** @param consents all answers of the user, after the change */
export function consentsChangedEvent(user: ChangedUser, consents: readonly Consent[]): EventToStore {
  return { type: 'user.consents_changed', ...ofUser(user), data: { consents: [...consents] } }
}

export function deletedEvent(user: ChangedUser): EventToStore {
  return { type: 'user.deleted', ...ofUser(user), data: {} }
}

/** @param destination before the merge */
export function mergedEvent(
  merged: ChangedUser & Pick<User, 'login_count'>,
  { source, destination, providers }: { source: EventUser; destination: EventUser; providers: readonly Provider[] },
): EventToStore {
  return {
    type: 'user.merged',
    ...ofUser(merged),
    merged_user: { identifier: source.identifier, primary_key: source.primary_key },
    data: {
      moved_providers: [...providers],
      login_count: merged.login_count,
      previous_primary_key: destination.primary_key,
    },
  }
}
