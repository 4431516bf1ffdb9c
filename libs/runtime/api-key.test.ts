import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isApiKey, newApiKey } from './api-key.ts'

test('a new key is sl_ with 33 letters and digits, is valid, and is unique', () => {
  const keys = Array.from({ length: 1_000 }, newApiKey)
  for (const key of keys) {
    expect(key).toMatch(/^sl_[0-9A-Za-z]{33}$/)
    expect(isApiKey(key)).toBe(true)
  }
  expect(new Set(keys).size).toBe(keys.length)
})

test('a key with one mistyped character is detected without a look-up', () => {
  const character = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')
  fc.assert(
    fc.property(fc.integer({ min: 3, max: 35 }), character, (place, typed) => {
      const key = newApiKey()
      const mistyped = key.slice(0, place) + typed + key.slice(place + 1)
      expect(isApiKey(mistyped)).toBe(mistyped === key)
    }),
  )
})

test.each([
  ['nothing', ''],
  ['another prefix', newApiKey().replace('sl_', 'sk_')],
  ['a shortened key', newApiKey().slice(0, -1)],
  ['a key with something behind it', `${newApiKey()}\n`],
  ['any text', fc.sample(fc.string(), 1)[0] ?? ''],
])('%s is not a key', (_what, text) => {
  expect(isApiKey(text)).toBe(false)
})
