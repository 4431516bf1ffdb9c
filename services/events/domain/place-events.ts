import type { EventUser, NewEvent } from '#contracts'

/** An event of a user whose IDs are known. */
export type KnownEvent = Omit<NewEvent, 'user'> & { readonly user: EventUser }

/** What is stored about a user of a site. */
export interface UserState {
  readonly site: number
  readonly identifier: string
  readonly primary_key: string | null
  /** The number of the user's last event. */
  readonly last_sequence: number
  /** Whether the user was deleted, or merged into another one. */
  readonly removed: boolean
}

/** An event with its numbers. */
export interface PlacedEvent extends KnownEvent {
  readonly sequence: number
  readonly user_sequence: number
}

/** Earlier events of a user who no longer exists lose their personal data. */
export interface Erasure {
  readonly site: number
  readonly identifier: string
  /** The event that removed the user. */
  readonly before: number
}

export interface Placement {
  readonly placed: readonly PlacedEvent[]
  /** The users and the sites' last numbers that changed. */
  readonly users: readonly UserState[]
  readonly last_sequences: ReadonlyMap<number, number>
  readonly erasures: readonly Erasure[]
  readonly discarded: number
}

interface Stored {
  /** The last number of each site. */
  readonly last_sequences: ReadonlyMap<number, number>
  readonly users: readonly UserState[]
}

/**
 * Numbers events, one after another. `user.created` starts a user, also one who was removed before and is imported again. Other
 * events of a removed user are discarded: `user.deleted` and `user.merged` end the events of the removed user.
 */
export function placeEvents(events: readonly KnownEvent[], stored: Stored): Placement {
  const lastSequences = new Map(stored.last_sequences)
  const users = new Map(stored.users.map((user) => [keyOf(user.site, user.identifier), user]))
  const changed = new Map<string, UserState>()
  const placed: PlacedEvent[] = []
  const erasures: Erasure[] = []
  const change = (user: UserState) => {
    const key = keyOf(user.site, user.identifier)
    users.set(key, user)
    changed.set(key, user)
  }
  for (const event of events) {
    const { site, type, user, merged_user } = event
    const before = users.get(keyOf(site, user.identifier))
    if (before?.removed && type !== 'user.created') continue
    const sequence = (lastSequences.get(site) ?? 0) + 1
    const userSequence = (before?.last_sequence ?? 0) + 1
    lastSequences.set(site, sequence)
    // Only identity's events change IDs; for others, identity was asked before the streams were locked.
    const ids = before === undefined || type.startsWith('user.') ? user : { ...user, primary_key: before.primary_key }
    placed.push({ ...event, user: ids, sequence, user_sequence: userSequence })
    change({ site, ...ids, last_sequence: userSequence, removed: type === 'user.deleted' })
    if (type === 'user.deleted') erasures.push({ site, identifier: user.identifier, before: sequence })
    if (merged_user === undefined) continue
    const merged = users.get(keyOf(site, merged_user.identifier))
    change({ site, ...merged_user, last_sequence: merged?.last_sequence ?? 0, removed: true })
    erasures.push({ site, identifier: merged_user.identifier, before: sequence })
  }
  return {
    placed,
    users: [...changed.values()],
    last_sequences: lastSequences,
    erasures,
    discarded: events.length - placed.length,
  }
}

function keyOf(site: number, identifier: string): string {
  return `${site} ${identifier}`
}
