import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ConfigError } from './config.ts'
import { createEncryptor } from './encryption.ts'
import { EncryptionKeys, openKeyRing } from './key-ring.ts'
import { createLogger } from './logger.ts'

const directory = mkdtempSync(join(tmpdir(), 'key-ring-'))
afterAll(() => rmSync(directory, { recursive: true }))
const logger = createLogger('test', 'silent')
const key = () => randomBytes(32).toString('base64')
const [one, two] = [key(), key()]
const place = ['credentials', 7, 'user', 'messaging', 'access_token']

let files = 0
function fileOf(content: string) {
  const path = join(directory, `${++files}`)
  const write = (text: string) => writeFileSync(path, text)
  write(content)
  return { path, write }
}

test('keys that are not 32 bytes, have no ID or a duplicate ID are rejected; messages do not contain them', () => {
  for (const [text, complaint] of [
    ['', 'must be <key id>:<base64 of 32 bytes>'],
    ['a:', 'the key a must be the base64 of 32 bytes'],
    [`a:${randomBytes(16).toString('base64')}`, 'the key a must be the base64 of 32 bytes'],
    [`:${one}`, 'must be <key id>:<base64 of 32 bytes>'],
    [`a:${one},a:${two}`, 'each id once'],
    [`a:${one} ${two}`, 'the key a must be the base64 of 32 bytes'],
  ] as const) {
    const { error } = EncryptionKeys.safeParse(text)
    expect(error?.message).toContain(complaint)
    expect(error?.message).not.toContain(one)
  }
})

test('the ring is in the environment or in a file, but not both', () => {
  const { path } = fileOf(`a:${one}\n`)
  const keys = EncryptionKeys.parse(`a:${one}`)
  for (const bothOrNone of [{}, { ENCRYPTION_KEYS: keys, ENCRYPTION_KEYS_FILE: path }])
    expect(() => openKeyRing(bothOrNone, logger)).toThrow('Set either ENCRYPTION_KEYS or ENCRYPTION_KEYS_FILE.')
})

test('a missing file or one without keys is rejected at the start; messages do not contain its content', () => {
  expect(() => openKeyRing({ ENCRYPTION_KEYS_FILE: join(directory, 'none') }, logger)).toThrow(
    'ENCRYPTION_KEYS_FILE is wrong: the file cannot be read (ENOENT).',
  )
  const { path } = fileOf(`${one}\n`)
  expect(() => openKeyRing({ ENCRYPTION_KEYS_FILE: path }, logger)).toThrow(ConfigError)
  expect(() => openKeyRing({ ENCRYPTION_KEYS_FILE: path }, logger)).not.toThrow(one)
})

test('a running process reads a changed file immediately to decrypt and soon to encrypt; an invalid file is ignored', async () => {
  const { path, write } = fileOf(`one:${one}\n`)
  const readings: string[] = []
  const ring = () => openKeyRing({ ENCRYPTION_KEYS_FILE: path }, logger)
  const watched = ring()
  const current = async () => {
    const keyId = await watched.current()
    readings.push(keyId)
    return keyId
  }
  using running = await createEncryptor({ ...watched, current }, { pollSeconds: 0.01 })
  const byOne = running.encrypt('secret', place)

  write(`two:${two}\none:${one}\n`)
  using later = await createEncryptor(ring())
  const byTwo = later.encrypt('secret', place)
  expect(byTwo.toString('latin1', 2, 5)).toBe('two')
  expect(await running.decrypt(byTwo, place)).toBe('secret')
  await expect.poll(() => running.head()).toEqual(byTwo.subarray(0, 5))
  expect(await running.decrypt(running.encrypt('secret', place), place)).toBe('secret')
  expect(await running.decrypt(byOne, place)).toBe('secret')

  write('spoilt')
  const before = readings.length
  await expect.poll(() => readings.length).toBeGreaterThan(before + 1)
  expect(running.head()).toEqual(byTwo.subarray(0, 5))
  expect(await running.decrypt(byOne, place)).toBe('secret')
})
