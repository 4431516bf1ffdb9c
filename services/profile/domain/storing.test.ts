import { expect, test } from 'vitest'
import { mayStore } from './storing.ts'

const nobody = { forgotten: false, prohibited: false, data_deleted_at: null }
const deleted = { ...nobody, data_deleted_at: new Date('2030-01-01T00:00:10.900Z') }

test.each([
  ['data of a user without restrictions', nobody, '2030-01-01T00:00:00Z', true],
  ['data of a forgotten user', { ...nobody, forgotten: true }, '2030-01-01T00:00:00Z', false],
  ['data of a user who prohibits it', { ...nobody, prohibited: true }, '2030-01-01T00:00:00Z', false],
  ['data supplied before a deletion', deleted, '2030-01-01T00:00:09Z', false],
  ['data supplied in the second of a deletion', deleted, '2030-01-01T00:00:10Z', true],
  ['data supplied after a deletion', deleted, '2030-01-01T00:00:11Z', true],
])('%s', (_what, rules, obtained_at, stored) => {
  expect(mayStore(rules, new Date(obtained_at))).toBe(stored)
})
