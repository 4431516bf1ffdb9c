import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openForTest } from '#testing'
import { deleteOldData } from '../delete-old-data.ts'
import { openStream } from './harness.ts'

test('old events are deleted: earlier positions get events_deleted, later events remain and continue the numbers', async () => {
  const { stack, site, readAll, readUntil } = await openStream()
  const { identity, events, call, database_urls } = stack
  await using database = openForTest(database_urls.events)
  const { knex } = database
  const create = () => identity.createUser({ site, primary_key: randomUUID(), links: [] }, call())
  const start = await events.readPosition({ site }, call())
  for (let n = 0; n < 3; n++) await create()
  await readUntil('user.created', 3)
  await knex('events')
    .where({ site })
    .where('sequence', '<=', 2)
    .update({ recorded_at: knex.raw("now() - interval '2 days'") })
  await deleteOldData(knex, 1)

  const after = (sequence: number) => events.listEvents({ site, after: { ...start, sequence }, limit: 10 }, call())
  for (const sequence of [0, 1]) await expect(after(sequence)).rejects.toMatchObject({ fault: 'events_deleted' })
  expect((await after(2)).events.map(({ sequence }) => sequence)).toEqual([3])
  expect((await readAll()).map(({ sequence }) => sequence)).toEqual([3])
  await create()
  expect((await readUntil('user.created', 2)).map(({ sequence }) => sequence)).toEqual([3, 4])
})

test('what is left of a removed user is deleted with the events, and its late events are still discarded', async () => {
  const { stack, site, readAll, readUntil } = await openStream()
  const { identity, events, call, database_urls } = stack
  await using database = openForTest(database_urls.events)
  const { knex } = database
  const { user } = await identity.createUser({ site, links: [] }, call())
  const { identifier } = user
  await identity.deleteUser({ site, identifier }, call())
  await readUntil('user.deleted')
  await knex('users')
    .where({ site, identifier })
    .update({ removed_at: knex.raw("now() - interval '2 days'") })
  await deleteOldData(knex, 1)
  expect(await knex('users').where({ site, identifier })).toEqual([])

  const late = { id: randomUUID(), type: 'profile.deleted' as const, site, user: { identifier }, data: {} }
  await events.record({ events: [{ ...late, time: new Date().toISOString() }] }, call())
  expect((await readAll()).map(({ type }) => type)).toEqual(['user.created', 'user.deleted'])
})

test('an event that is sent again is in the stream once', async () => {
  const { stack, site, readAll } = await openStream()
  const { events, call } = stack
  const user = { identifier: 'a', primary_key: null }
  const data = { created_by: 'import', created_at: '2030-01-01T00:00:00Z', providers: [] }
  const event = { id: randomUUID(), type: 'user.created' as const, site, user, data, time: '2030-01-01T00:00:00.000Z' }
  await Promise.all(Array.from({ length: 5 }, () => events.record({ events: [event] }, call())))
  expect((await readAll()).map(({ id }) => id)).toEqual([event.id])
})
