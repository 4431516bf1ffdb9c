import { expect, test } from 'vitest'
import { requireSameUser } from './same-user.ts'

const [one, two] = ['one', 'two'].map((identifier) => ({ user: { identifier } }))

test.each([
  ['one id of a user', [one], one],
  ['both ids of one user', [one, { user: { identifier: 'one' } }], one],
])('%s denotes the user', (_what, found, user) => {
  expect(requireSameUser(found)).toBe(user)
})

test.each([
  ['entity_not_found', 'no id at all', []],
  ['entity_not_found', 'an id nobody has', [undefined]],
  ['entity_not_found', 'two ids nobody has', [undefined, undefined]],
  ['invalid_parameter', 'the ids of two users', [one, two]],
  ['invalid_parameter', "a user's id and one nobody has", [one, undefined]],
  ['invalid_parameter', "an id nobody has and a user's", [undefined, one]],
])('%s for %s', (fault, _what, found) => {
  expect(() => requireSameUser(found)).toThrow(expect.objectContaining({ fault }))
})
