import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { EventTypeName } from '#contracts'
import { placeEvents } from './place-events.ts'

const event = (type: EventTypeName, identifier: string, site = 1) => ({
  id: randomUUID(),
  type,
  site,
  time: '2030-01-01T00:00:00.000Z',
  data: {},
  user: { identifier, primary_key: null },
})
const nothing = { users: [], last_sequences: new Map([[1, 0]]) }

test('numbers events by site and by user', () => {
  const { placed } = placeEvents(
    [event('user.created', 'a'), event('user.created', 'b'), event('user.linked', 'a'), event('user.created', 'a', 2)],
    {
      users: [],
      last_sequences: new Map([
        [1, 10],
        [2, 0],
      ]),
    },
  )
  expect(placed.map(({ site, sequence, user_sequence }) => [site, sequence, user_sequence])).toEqual([
    [1, 11, 1],
    [1, 12, 1],
    [1, 13, 2],
    [2, 1, 1],
  ])
})

test('discards events of a removed user until it is created again', () => {
  const { placed, discarded, erasures } = placeEvents(
    [
      event('user.deleted', 'a'),
      event('profile.updated', 'a'),
      event('user.created', 'a'),
      event('profile.updated', 'a'),
    ],
    nothing,
  )
  expect(placed.map(({ type, user_sequence }) => [type, user_sequence])).toEqual([
    ['user.deleted', 1],
    ['user.created', 2],
    ['profile.updated', 3],
  ])
  expect(discarded).toBe(1)
  expect(erasures).toEqual([{ site: 1, identifier: 'a', before: 1 }])
})

test('a merge removes the other user', () => {
  const merged = { ...event('user.merged', 'b'), merged_user: { identifier: 'a', primary_key: 'k' } }
  const { placed, users } = placeEvents([event('user.created', 'a'), merged, event('user.linked', 'a')], nothing)
  expect(placed).toHaveLength(2)
  expect(users.map(({ identifier, removed }) => [identifier, removed])).toEqual([
    ['a', true],
    ['b', false],
  ])
})

test('events of other services have the primary_key of the stream', () => {
  const known = { site: 1, identifier: 'a', primary_key: 'k', last_sequence: 3, removed: false }
  const { placed } = placeEvents([event('profile.updated', 'a'), event('user.unmapped', 'a')], {
    ...nothing,
    users: [known],
  })
  expect(placed.map(({ user }) => user.primary_key)).toEqual(['k', null])
})
