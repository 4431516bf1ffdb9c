import type { Call } from '#bus'
import type { NewEvent } from '#contracts'
import { splitBySite, transaction } from '#database'
import { timeOfEventId } from '#runtime'
import type { Deps, EventsHandlers } from '../deps.ts'
import { type KnownEvent, type Placement, placeEvents } from '../domain/place-events.ts'
import { destroyKeysOfUsers, eraseEvents, insertEvents, listRecordedIds } from '../store/events.ts'
import { lockStreams, updateLastSequences } from '../store/streams.ts'
import { listUserStates, upsertUsers } from '../store/users.ts'
import { eraseResponses } from '../store/webhook-deliveries.ts'

export const record: EventsHandlers['record'] = async ({ events }, deps, call) => {
  const { known, waiting, discarded } = await findUsers(events, deps, call)
  for (const batch of splitBySite(deps.knex, known)) {
    const { placed, repeated, late } = await recordKnown(batch, deps)
    deps.received.inc({ outcome: 'recorded' }, placed.length)
    deps.received.inc({ outcome: 'repeated' }, repeated)
    deps.received.inc({ outcome: 'discarded' }, late)
    for (const { id } of placed) deps.lag.observe(Math.max(0, Date.now() - timeOfEventId(id)) / 1_000)
    if (placed.length > 0) deps.publishRecorded([...new Set(placed.map(({ site }) => site))])
  }
  deps.received.inc({ outcome: 'discarded' }, discarded)
  deps.received.inc({ outcome: 'waiting' }, waiting.length)
  return { waiting }
}

/**
 * Completes the IDs of users that a service names by identifier or link. Identity knows them, and whether it has earlier events
 * of the user: those must be in the stream before an effect of the same cause in another service.
 */
async function findUsers(events: readonly NewEvent[], { identity }: Pick<Deps, 'identity'>, call: Call) {
  const isComplete = (event: NewEvent): event is KnownEvent => 'primary_key' in event.user
  const incomplete = events.filter((event) => !isComplete(event))
  const { users } =
    incomplete.length === 0
      ? { users: [] }
      : await identity.findEventUsers({ users: incomplete.map(({ site, user }) => ({ site, ...user })) }, call)
  const found = new Map(incomplete.map(({ id }, place) => [id, users[place]]))
  const waiting: string[] = []
  const known: KnownEvent[] = []
  for (const event of events) {
    if (isComplete(event)) known.push(event)
    else {
      const user = found.get(event.id)
      if (user?.is_waiting) waiting.push(event.id)
      else if (user?.user) known.push({ ...event, user: user.user })
    }
  }
  return { known, waiting, discarded: events.length - known.length - waiting.length }
}

/** Adds events to the streams of their sites, in one transaction. Those that are there from an earlier attempt are skipped. */
async function recordKnown(
  events: readonly KnownEvent[],
  { knex, eventData }: Pick<Deps, 'knex' | 'eventData'>,
): Promise<Pick<Placement, 'placed'> & { repeated: number; late: number }> {
  if (events.length === 0) return { placed: [], repeated: 0, late: 0 }
  return transaction(knex, async (trx) => {
    const streams = await lockStreams(trx, [...new Set(events.map(({ site }) => site))])
    const recorded = await listRecordedIds(trx, events)
    const added = events.filter(({ id }) => !recorded.has(id))
    const repeated = events.length - added.length
    if (added.length === 0) return { placed: [], repeated, late: 0 }
    const named = added.flatMap(({ site, user, merged_user }) =>
      [user, merged_user].flatMap((one) => (one === undefined ? [] : [{ site, identifier: one.identifier }])),
    )
    const { placed, users, last_sequences, erasures, discarded } = placeEvents(added, {
      users: await listUserStates(trx, named),
      last_sequences: new Map(streams.map(({ site, last_sequence }) => [site, last_sequence])),
    })
    if (placed.length > 0) {
      await insertEvents(trx, eventData, placed)
      await upsertUsers(trx, users)
      await updateLastSequences(trx, last_sequences)
      await eraseEvents(trx, erasures)
      await destroyKeysOfUsers(trx, users)
      await eraseResponses(trx, erasures)
    }
    return { placed, repeated, late: discarded }
  })
}
