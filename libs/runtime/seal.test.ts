import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSealer, SealBroken, SealKeys } from './seal.ts'

const key = () => randomBytes(32).toString('base64')
const [old_key, new_key] = [key(), key()]
const sealer = createSealer(SealKeys.parse(`new:${new_key},old:${old_key}`))
const place = ['credentials', 7, 'user', 'access_token']

test('what was sealed opens at its place, and no two seals are alike', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
      (text) => {
        const sealed = sealer.seal(text, place)
        expect(sealer.open(sealed, place)).toBe(text)
        expect(sealer.seal(text, place)).not.toEqual(sealed)
      },
    ),
  )
})

test('CR-2 moved to another place it does not open', () => {
  const sealed = sealer.seal('secret', place)
  expect(() => sealer.open(sealed, ['credentials', 7, 'other', 'access_token'])).toThrow(SealBroken)
})

test('CR-4 with any byte changed or cut off it does not open', () => {
  const sealed = sealer.seal('secret', place)
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(() => sealer.open(changed, place)).toThrow(SealBroken)
    expect(() => sealer.open(sealed.subarray(0, at), place)).toThrow(SealBroken)
  }
})

test('CR-3 the first key seals, an older one still opens, an unknown one does not', () => {
  const before = createSealer(SealKeys.parse(`old:${old_key}`)).seal('secret', place)
  expect(sealer.open(before, place)).toBe('secret')
  const only_old = createSealer(SealKeys.parse(`old:${old_key}`))
  expect(() => only_old.open(sealer.seal('secret', place), place)).toThrow(SealBroken)
})

test('keys that are not 32 bytes, have no id, or share one are refused without being told', () => {
  for (const text of [
    '',
    'a:',
    `a:${randomBytes(16).toString('base64')}`,
    `:${old_key}`,
    `a:${old_key},a:${new_key}`,
  ]) {
    const { error } = SealKeys.safeParse(text)
    expect(error?.message).toContain('must be <key id>:<base64 of 32 bytes>')
    expect(error?.message).not.toContain(old_key)
  }
})
