import { expect, test } from 'vitest'
import { needsMapping } from './mapping.ts'

const unmapped = { identifier: 'u', primary_key: null }
const mapped = { identifier: 'u', primary_key: 'old' }

test.each([
  ['an unmapped user to a free value', unmapped, { primary_key: 'new', overwrite: false, holder: undefined }, true],
  ['a mapped user with overwrite', mapped, { primary_key: 'new', overwrite: true, holder: undefined }, true],
  ['a user to the value it has', mapped, { primary_key: 'old', overwrite: false, holder: 'u' }, false],
])('%s is accepted', (_what, user, wish, needed) => {
  expect(needsMapping(user, wish)).toBe(needed)
})

test.each([
  ['already_mapped', 'another value without overwrite', mapped, { overwrite: false, holder: undefined }],
  ['duplicated_primary_key', "another user's value", unmapped, { overwrite: false, holder: 'v' }],
  ['duplicated_primary_key', "another user's value with overwrite", mapped, { overwrite: true, holder: 'v' }],
  [
    'duplicated_primary_key',
    "another user's value, checked before already_mapped",
    mapped,
    { overwrite: false, holder: 'v' },
  ],
])('%s for %s', (fault, _what, user, wish) => {
  expect(() => needsMapping(user, { primary_key: 'new', ...wish })).toThrow(expect.objectContaining({ fault }))
})
