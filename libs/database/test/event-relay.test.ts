import { randomUUID } from 'node:crypto'
import { Registry } from 'prom-client'
import { expect, inject, test } from 'vitest'
import { limits, type NewEvent } from '#contracts'
import {
  type EventToStore,
  migrate,
  openDatabase,
  pendingEventsMigration,
  provisionDatabase,
  siteFreezesMigration,
  startEventRelay,
  storeEvents,
} from '#database'
import { createLogger } from '#runtime'

const logger = createLogger('test', 'silent')

async function openPendingEvents() {
  const name = `events_${process.pid}_${randomUUID().slice(0, 8)}`
  const url = await provisionDatabase(inject('postgres_url'), { name, password: 'p' })
  await migrate(url, [pendingEventsMigration('0001-pending-events'), siteFreezesMigration('0002-site-freezes')])
  return openDatabase({ DATABASE_URL: url }, { name: 'test', logger })
}

function newEvent(identifier: string, primaryKey: string): EventToStore {
  const data = { primary_key: primaryKey, previous_primary_key: null }
  return { type: 'user.mapped', site: 1, user: { identifier, primary_key: primaryKey }, data, time: new Date() }
}

/** The stream: it ignores events that it has. */
function createStream() {
  const ids = new Set<string>()
  const keys: unknown[] = []
  return {
    keys,
    add(events: readonly NewEvent[]) {
      for (const { id, data } of events) {
        if (ids.has(id)) continue
        ids.add(id)
        keys.push(data.primary_key)
      }
    },
  }
}

test('events reach the stream once and in order, also if the answer is lost or the stream is unavailable', async () => {
  await using database = await openPendingEvents()
  const { knex } = database
  const stream = createStream()
  let attempts = 0
  const record = async (events: NewEvent[]) => {
    attempts++
    if (attempts === 1) throw new Error('unavailable')
    stream.add(events)
    if (attempts === 2) throw new Error('the answer was lost')
    return { waiting: [] }
  }
  const keys = Array.from({ length: 20 }, (_, n) => `k${n}`)
  await using _ = startEventRelay({ knex, record, logger, registry: new Registry() })
  for (const key of keys) await knex.transaction((trx) => storeEvents(trx, [newEvent('u', key)]))
  await expect.poll(() => knex('pending_events').select('id')).toEqual([])
  expect(stream.keys).toEqual(keys)
})

test('a message has events of a limited number of sites', async () => {
  await using database = await openPendingEvents()
  const { knex } = database
  const sitesOfMessages: number[] = []
  const record = async (events: NewEvent[]) => {
    sitesOfMessages.push(new Set(events.map(({ site }) => site)).size)
    return { waiting: [] }
  }
  const sites = Array.from({ length: 2 * limits.event_batch_sites + 1 }, (_, n) => n + 1)
  const events = sites.flatMap((site) => ['a', 'b'].map((key) => ({ ...newEvent(`u${site}`, key), site })))
  await knex.transaction((trx) => storeEvents(trx, events))
  await using _ = startEventRelay({ knex, record, logger, registry: new Registry() })
  await expect.poll(() => knex('pending_events').select('id')).toEqual([])
  expect(sitesOfMessages).toEqual([limits.event_batch_sites, limits.event_batch_sites, 1])
})

test('of a user whose event must wait no later event is sent before it; events of others are', async () => {
  await using database = await openPendingEvents()
  const { knex } = database
  const stream = createStream()
  let mustWait = true
  const record = async (events: NewEvent[]) => {
    const [first] = events
    const waiting = mustWait && first?.data.primary_key === 'a1' ? [first.id] : []
    stream.add(events.filter(({ id }) => !waiting.includes(id)))
    return { waiting }
  }
  await knex.transaction((trx) => storeEvents(trx, [newEvent('a', 'a1'), newEvent('b', 'b1')]))
  await using _ = startEventRelay({ knex, record, logger, registry: new Registry() })
  await expect.poll(() => stream.keys).toEqual(['b1'])
  await knex.transaction((trx) => storeEvents(trx, [newEvent('b', 'b2')]))
  await expect.poll(() => stream.keys).toEqual(['b1', 'b2'])
  mustWait = false
  await expect.poll(() => stream.keys).toEqual(['b1', 'b2', 'a1'])
})

test('when more users wait than a round holds, all events are sent in order as soon as they no longer wait', async () => {
  await using database = await openPendingEvents()
  const { knex } = database
  const stream = createStream()
  const users = Array.from({ length: 3_000 }, (_, n) => `u${n}`)
  const asked = new Set<string>()
  let mustWait = true
  const record = async (events: NewEvent[]) => {
    for (const { id } of events) asked.add(id)
    if (mustWait) return { waiting: events.map(({ id }) => id) }
    stream.add(events)
    return { waiting: [] }
  }
  for (const round of ['1', '2'])
    await knex.transaction((trx) =>
      storeEvents(
        trx,
        users.map((user) => newEvent(user, `${user} ${round}`)),
      ),
    )
  await using _ = startEventRelay({ knex, record, logger, registry: new Registry() })
  await expect.poll(() => asked.size).toBe(2_000)
  mustWait = false
  const expected = ['1', '2'].flatMap((round) => users.map((user) => `${user} ${round}`))
  await expect.poll(() => stream.keys).toEqual(expected)
})

test('of several relays one sends, and another takes over when it stops', async () => {
  await using database = await openPendingEvents()
  const { knex } = database
  const stream = createStream()
  const senders: string[] = []
  const start = (name: string) =>
    startEventRelay({
      knex,
      record: async (events) => {
        senders.push(name)
        stream.add(events)
        return { waiting: [] }
      },
      logger,
      registry: new Registry(),
    })
  const first = start('first')
  await knex.transaction((trx) => storeEvents(trx, [newEvent('u', '1')]))
  await expect.poll(() => stream.keys).toEqual(['1'])
  await using _ = start('second')
  await knex.transaction((trx) => storeEvents(trx, [newEvent('u', '2')]))
  await expect.poll(() => stream.keys).toEqual(['1', '2'])
  await first[Symbol.asyncDispose]()
  await knex.transaction((trx) => storeEvents(trx, [newEvent('u', '3')]))
  await expect.poll(() => stream.keys).toEqual(['1', '2', '3'])
  expect(senders).toEqual(['first', 'first', 'second'])
})
