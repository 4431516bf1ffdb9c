import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { Registry } from 'prom-client'
import { afterAll, expect, test } from 'vitest'
import { DecryptionError } from './decryption-error.ts'
import { createEncryptor } from './encryption.ts'
import { EncryptionKeys, type KeyRing, keyRing } from './key-ring.ts'

const key = () => randomBytes(32).toString('base64')
const [oldKey, newKey] = [key(), key()]
const ringOf = (text: string) => keyRing(EncryptionKeys.parse(text))
const registry = new Registry()
const encryptor = await createEncryptor(ringOf(`new:${newKey},old:${oldKey}`), { registry })
afterAll(() => encryptor[Symbol.dispose]())
const place = ['credentials', 7, 'user', 'messaging', 'access_token']

const damaged = expect.objectContaining({ name: 'DecryptionError', failure: 'damaged' })
const unknownKey = expect.objectContaining({ name: 'DecryptionError', failure: 'unknown_key' })

test('a value can be decrypted with its context, and no two encrypted values are equal', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
      async (text) => {
        const encrypted = encryptor.encrypt(text, place)
        expect(await encryptor.decrypt(encrypted, place)).toBe(text)
        expect(encryptor.encrypt(text, place)).not.toEqual(encrypted)
      },
    ),
  )
})

test('a value that was moved to another site, user, provider or column cannot be decrypted', async () => {
  const encrypted = encryptor.encrypt('secret', place)
  for (const at of place.keys())
    await expect(encryptor.decrypt(encrypted, place.with(at, 'other'))).rejects.toEqual(damaged)
})

test('a value with any byte changed or removed cannot be decrypted, the error contains nothing of it, and each is counted', async () => {
  const encrypted = encryptor.encrypt('secret', place)
  for (let at = 0; at < encrypted.length; at++) {
    const changed = Buffer.from(encrypted)
    changed[at] = (changed[at] ?? 0) ^ 1
    for (const broken of [changed, encrypted.subarray(0, at)]) {
      const error = await encryptor.decrypt(broken, place).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(DecryptionError)
      expect(String(error)).not.toContain('secret')
    }
  }
  expect(await registry.metrics()).toMatch(
    /sociallogin_decryption_failures_total\{stored_in="credentials",reason="damaged"\} \d{3}/,
  )
})

test('a returned value can be decrypted with its context; a damaged one is undefined and not counted', async () => {
  const own = new Registry()
  using returnedTo = await createEncryptor(ringOf(`new:${newKey}`), { registry: own })
  const encrypted = returnedTo.encrypt('secret', place)
  expect(await returnedTo.decryptReturned(encrypted, place)).toBe('secret')
  const broken = [
    encrypted.subarray(1),
    encrypted.subarray(0, -1),
    Buffer.from(''),
    Buffer.from('text'),
    Buffer.alloc(100),
  ]
  for (const value of broken) expect(await returnedTo.decryptReturned(value, place)).toBeUndefined()
  expect(await returnedTo.decryptReturned(encrypted, place.with(1, 8))).toBeUndefined()
  expect(await own.metrics()).not.toMatch(/broken_total\{/)
})

test('the first key encrypts, older ones still decrypt, unknown ones do not', async () => {
  using before = await createEncryptor(ringOf(`old:${oldKey}`))
  expect(await encryptor.decrypt(before.encrypt('secret', place), place)).toBe('secret')
  await expect(before.decrypt(encryptor.encrypt('secret', place), place)).rejects.toEqual(unknownKey)
  // Another key with the same ID is the same as a damaged value.
  using impostor = await createEncryptor(ringOf(`new:${oldKey}`))
  await expect(impostor.decrypt(encryptor.encrypt('secret', place), place)).rejects.toEqual(damaged)
})

test('a value contains the ID of its key, but no data key, and processes do not share data keys', async () => {
  using other = await createEncryptor(ringOf(`new:${newKey}`))
  const [one, two] = [encryptor, other].map((by) => by.encrypt('secret', place))
  for (const encrypted of [one, two]) expect(encrypted?.subarray(0, 5)).toEqual(Buffer.from('\x01\x03new'))
  expect(one?.subarray(5, 67)).not.toEqual(two?.subarray(5, 67))
})

test('a key management service is called once per data key, never to encrypt; while it is unavailable, known keys still decrypt', async () => {
  const local = ringOf(`kms:${key()}`)
  const calls: string[] = []
  let isUnavailable = false
  const response = async <T>(what: string, act: () => Promise<T>) => {
    calls.push(what)
    if (isUnavailable) throw new Error('The service is unavailable.')
    return act()
  }
  const kms: KeyRing = {
    ...local,
    wrap: (dataKey) => response('wrap', () => local.wrap(dataKey)),
    unwrap: (wrapped) => response('unwrap', () => local.unwrap(wrapped)),
  }
  using one = await createEncryptor(kms)
  using two = await createEncryptor(kms)
  const values = Array.from({ length: 20 }, (_, index) => one.encrypt(`${index}`, place))
  isUnavailable = true
  const failed = await two.decrypt(values[0] ?? Buffer.alloc(0), place).catch((error: unknown) => error)
  expect(failed).toEqual(new Error('The service is unavailable.'))
  isUnavailable = false
  expect(await Promise.all(values.map((value) => two.decrypt(value, place)))).toEqual(
    values.map((_, index) => `${index}`),
  )
  isUnavailable = true
  expect(await two.decrypt(two.encrypt('own', place), place)).toBe('own')
  expect(calls).toEqual(['wrap', 'wrap', 'unwrap', 'unwrap'])
})
