import { expect, test } from 'vitest'
import { requireSameUser } from './same-user.ts'

const [one, two] = ['one', 'two'].map((identifier) => ({ user: { identifier } }))

test.each([
  ['one id of a user', [one], one],
  ['both ids of one user', [one, { user: { identifier: 'one' } }], one],
])('%s identifies the user', (_what, found, user) => {
  expect(requireSameUser(found)).toBe(user)
})

test.each([
  ['entity_not_found', 'no ID', []],
  ['entity_not_found', 'an unknown ID', [undefined]],
  ['entity_not_found', 'two unknown IDs', [undefined, undefined]],
  ['invalid_parameter', 'the ids of two users', [one, two]],
  ['invalid_parameter', "a user's ID and an unknown one", [one, undefined]],
  ['invalid_parameter', "an unknown ID and a user's", [undefined, one]],
])('%s for %s', (fault, _what, found) => {
  expect(() => requireSameUser(found)).toThrow(expect.objectContaining({ fault }))
})
