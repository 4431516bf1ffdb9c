import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { Registry } from 'prom-client'
import { afterAll, expect, test } from 'vitest'
import { type KeyRing, keyRing, SealKeys } from './key-ring.ts'
import { createSealer } from './seal.ts'
import { SealBroken } from './seal-broken.ts'

const key = () => randomBytes(32).toString('base64')
const [oldKey, newKey] = [key(), key()]
const ringOf = (text: string) => keyRing(SealKeys.parse(text))
const registry = new Registry()
const sealer = await createSealer(ringOf(`new:${newKey},old:${oldKey}`), { registry })
afterAll(() => sealer[Symbol.dispose]())
const place = ['credentials', 7, 'user', 'messaging', 'access_token']

const damaged = expect.objectContaining({ name: 'SealBroken', by: 'damaged' })
const unknownKey = expect.objectContaining({ name: 'SealBroken', by: 'unknown_key' })

test('what was sealed opens at its place, and no two seals are alike', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
      async (text) => {
        const sealed = sealer.seal(text, place)
        expect(await sealer.open(sealed, place)).toBe(text)
        expect(sealer.seal(text, place)).not.toEqual(sealed)
      },
    ),
  )
})

test('CR-2 moved to another site, user, provider or column it does not open', async () => {
  const sealed = sealer.seal('secret', place)
  for (const at of place.keys()) await expect(sealer.open(sealed, place.with(at, 'other'))).rejects.toEqual(damaged)
})

test('CR-4 with any byte changed or cut off it does not open, the error carries nothing of it, and each is counted', async () => {
  const sealed = sealer.seal('secret', place)
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    for (const broken of [changed, sealed.subarray(0, at)]) {
      const error = await sealer.open(broken, place).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(SealBroken)
      expect(String(error)).not.toContain('secret')
    }
  }
  expect(await registry.metrics()).toMatch(
    /sociallogin_sealed_values_broken_total\{kept_in="credentials",by="damaged"\} \d{3}/,
  )
})

test('a returned value opens at its place; a damaged one is undefined and not counted', async () => {
  const own = new Registry()
  using returnedTo = await createSealer(ringOf(`new:${newKey}`), { registry: own })
  const sealed = returnedTo.seal('secret', place)
  expect(await returnedTo.openReturned(sealed, place)).toBe('secret')
  const broken = [sealed.subarray(1), sealed.subarray(0, -1), Buffer.from(''), Buffer.from('text'), Buffer.alloc(100)]
  for (const value of broken) expect(await returnedTo.openReturned(value, place)).toBeUndefined()
  expect(await returnedTo.openReturned(sealed, place.with(1, 8))).toBeUndefined()
  expect(await own.metrics()).not.toMatch(/broken_total\{/)
})

test('CR-3 the first key seals, an older one still opens, an unknown one does not', async () => {
  using before = await createSealer(ringOf(`old:${oldKey}`))
  expect(await sealer.open(before.seal('secret', place), place)).toBe('secret')
  await expect(before.open(sealer.seal('secret', place), place)).rejects.toEqual(unknownKey)
  // The right id with another key is no better than a damaged value.
  using impostor = await createSealer(ringOf(`new:${oldKey}`))
  await expect(impostor.open(sealer.seal('secret', place), place)).rejects.toEqual(damaged)
})

test('a value names its key, and neither holds a data key nor shares one with another process', async () => {
  using other = await createSealer(ringOf(`new:${newKey}`))
  const [one, two] = [sealer, other].map((by) => by.seal('secret', place))
  for (const sealed of [one, two]) expect(sealed?.subarray(0, 5)).toEqual(Buffer.from('\x01\x03new'))
  expect(one?.subarray(5, 67)).not.toEqual(two?.subarray(5, 67))
})

test('a key management service is asked once for each data key, and not at all to seal; while away it harms no read of a known key', async () => {
  const local = ringOf(`kms:${key()}`)
  const asked: string[] = []
  let away = false
  const answer = async <T>(what: string, act: () => Promise<T>) => {
    asked.push(what)
    if (away) throw new Error('The service is away.')
    return act()
  }
  const kms: KeyRing = {
    ...local,
    wrap: (dataKey) => answer('wrap', () => local.wrap(dataKey)),
    unwrap: (wrapped) => answer('unwrap', () => local.unwrap(wrapped)),
  }
  using one = await createSealer(kms)
  using two = await createSealer(kms)
  const values = Array.from({ length: 20 }, (_, index) => one.seal(`${index}`, place))
  away = true
  const failed = await two.open(values[0] ?? Buffer.alloc(0), place).catch((error: unknown) => error)
  expect(failed).toEqual(new Error('The service is away.'))
  away = false
  expect(await Promise.all(values.map((value) => two.open(value, place)))).toEqual(values.map((_, index) => `${index}`))
  away = true
  expect(await two.open(two.seal('own', place), place)).toBe('own')
  expect(asked).toEqual(['wrap', 'wrap', 'unwrap', 'unwrap'])
})
