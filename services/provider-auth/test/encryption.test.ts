import { execFile, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import type { Knex } from 'knex'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { listKeyUsage } from '#database'
import { createEncryptor, EncryptionKeys, keyRing, keyRingPollSeconds } from '#runtime'
import { nodeEnvironment, openForTest, type SeededSite, type ServiceStack, seedSite, startStack } from '#testing'
import { encryptedAuthData } from '../encrypted-values.ts'
import { upsertCredential } from '../store/credentials.ts'
import { type Application, applicationOf } from './application.ts'
import { logInWith, type ProviderName } from './browser.ts'

const key = () => randomBytes(32).toString('base64')
const [first, second, third] = [`first:${key()}`, `second:${key()}`, `third:${key()}`]

/** The service's periodic reading of its key ring, by replica. */
const readings: (() => Promise<void>)[] = []
const stack = new AsyncDisposableStack()
let file: string
let serviceStack: ServiceStack
let site: SeededSite
let application: Application
let knex: Knex
beforeAll(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'encryption-'))
  stack.defer(() => rm(directory, { recursive: true }))
  file = join(directory, 'encryption-keys')
  await writeFile(file, first)

  const originalSetInterval = globalThis.setInterval
  const spy = vi.spyOn(globalThis, 'setInterval').mockImplementation((act, everyMs, ...rest) => {
    if (everyMs === keyRingPollSeconds * 1_000) readings.push(async () => act())
    return originalSetInterval(act, everyMs, ...rest)
  })
  const ring = { ENCRYPTION_KEYS: undefined, ENCRYPTION_KEYS_FILE: file }
  serviceStack = stack.use(await startStack({ providerAuthEnvironment: ring }))
  spy.mockRestore()
  site = await seedSite(serviceStack)
  application = applicationOf(serviceStack, site)
  knex = stack.use(openForTest(serviceStack.database_urls.provider_auth)).knex
})
afterAll(() => stack.disposeAsync())

/** Changes the key ring's file and waits until the running service has read it. */
async function setRing(...keys: string[]): Promise<void> {
  await writeFile(file, keys.join('\n'))
  await Promise.all(readings.map((look) => look()))
}
/** Restores the state in which everything is encrypted with the first key. */
beforeEach(async () => {
  await setRing(first, second, third)
  using encryptor = await createEncryptor(keyRing(EncryptionKeys.parse([first, second, third].join())))
  for (const { reencrypt } of encryptedAuthData.tables) await reencrypt({ knex, encryptor }, () => undefined)
  await knex('authorization_codes').delete()
  await setRing(first)
})

const environment = () => ({
  ...nodeEnvironment,
  DATABASE_URL: serviceStack.database_urls.provider_auth,
  ENCRYPTION_KEYS_FILE: file,
})
const script = 'services/provider-auth/encryption.ts'
const keysScript = 'services/provider-auth/rotate-keys.ts'
/** Runs an operator's command; returns its exit code and output. */
const runEncryption = async (...command: string[]): Promise<{ code: number; said: string }> => {
  const ended = await promisify(execFile)(process.execPath, [script, ...command], { env: environment() }).catch(
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
  return { code: 'code' in ended ? ended.code : 0, said: ended.stdout + ended.stderr }
}
const keysInUse = async () => [...new Set((await listKeyUsage(knex, encryptedAuthData)).map(({ key_id }) => key_id))]

let userCount = 0
const newUserName = () => `Person ${++userCount}`

/** A login; returns the user's identifier and the application's functions. */
async function login(user: string, provider: ProviderName = 'messaging') {
  const { access_token, id_token } = await application.redeem(await logInWith(site, provider, { user }))
  const { sub: identifier = '' } = await application.verify(id_token)
  return { identifier, access_token }
}

async function userAttribute(identifier: string) {
  const query = new URLSearchParams({ key: site.api_key, identifier })
  const response = await fetch(`${serviceStack.web_api}/user_attribute?${query}`)
  return { status: response.status, body: UserAttribute.parse(await response.json()) }
}
const UserAttribute = z.looseObject({ providers: z.record(z.string(), z.looseObject({})).default({}) })
async function linkIdOf(identifier: string): Promise<string> {
  const { links } = await serviceStack.identity.resolveUser({ site: site.site, identifier }, serviceStack.call())
  return links[0]?.link_id ?? ''
}
const credentialsOf = async (identifier: string) => (await userAttribute(identifier)).body.providers

test('after a rotation during logins everything can be decrypted, and the old key can be removed', async () => {
  const known = await Promise.all(
    (['messaging', 'portal', 'search'] as const).map((provider) => login(newUserName(), provider)),
  )
  const before = await Promise.all(known.map(({ identifier }) => credentialsOf(identifier)))

  await setRing(first, second)
  await setRing(second, first)
  const [{ code, said }, ...meanwhile] = await Promise.all([
    runEncryption('rotate'),
    ...Array.from({ length: 4 }, () => login(newUserName())),
    ...known.map(({ access_token }) => application.userinfo(access_token)),
  ])
  expect(code).toBe(0)
  expect(said).toMatch(/^signing_keys: 2 values re-encrypted\n/)
  expect(said).toContain('second (current key): ')
  expect(meanwhile).toHaveLength(7)

  // Codes are not re-encrypted; they expire.
  await knex('authorization_codes').delete()
  expect(await keysInUse()).toEqual(['second'])
  await setRing(second)
  expect(await Promise.all(known.map(({ identifier }) => credentialsOf(identifier)))).toEqual(before)
  await login(newUserName(), 'search')
  const again = await runEncryption('rotate')
  expect(again.said).toMatch(
    /^signing_keys: 0 values re-encrypted\nprovider_settings: 0 values re-encrypted\ncredentials: 0 values re-encrypted\n/,
  )
})

const filledLink = (user: number) => `f111ed00-0000-4000-8000-${String(user).padStart(12, '0')}`

/** Enough tokens for a rotation to take a while. */
async function storeValues(users: number): Promise<void> {
  using encryptor = await createEncryptor(keyRing(EncryptionKeys.parse(first)))
  await knex.transaction(async (trx) => {
    for (let user = 0; user < users; user++) {
      const link = { site: site.site, link_id: filledLink(user), provider: 'search' } as const
      const tokens = { access_token: `a${user}`, access_secret: null, refresh_token: `r${user}`, expires_at: null }
      await upsertCredential(trx, encryptor, {
        ...link,
        ...tokens,
        provider_user_id: 'filled',
        recorded_at: new Date(),
      })
    }
  })
}

test('a rotation that was killed continues when it is run again', async () => {
  await storeValues(600)
  const stamps = () => knex('credentials').orderBy('link_id').select('link_id', 'updated_at')
  const before = await stamps()
  await setRing(second, first)
  const running = spawn(process.execPath, [script, 'rotate'], {
    env: environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface(running.stdout))
    if (/^credentials: [1-9]/.test(line)) running.kill('SIGKILL')

  const uses = await listKeyUsage(knex, encryptedAuthData)
  const remaining = uses.find(
    ({ key_id, stored_in: storedIn }) => key_id === 'first' && storedIn === 'credentials.access_token',
  )?.values
  expect(remaining).toBeGreaterThan(0)
  expect(remaining).toBeLessThan(600)
  const { code, said } = await runEncryption('rotate')
  expect(code).toBe(0)
  expect(said).toMatch(/^signing_keys: 0 values re-encrypted\nprovider_settings: 0 values re-encrypted\n/)
  await knex('authorization_codes').delete()
  expect(await keysInUse()).toEqual(['second'])
  // Re-encryption does not change the credential.
  expect(await stamps()).toEqual(before)
  const { credentials } = await serviceStack.provider_auth.readCredentials(
    { site: site.site, link_ids: [filledLink(599)] },
    serviceStack.call(),
  )
  expect(credentials[filledLink(599)]).toMatchObject({ access_token: 'a599', refresh_token: 'r599' })
  await knex('credentials').where({ provider_user_id: 'filled' }).delete()
})

test('tokens that a login stores during re-encryption stay and are re-encrypted', async () => {
  using byFirst = await createEncryptor(keyRing(EncryptionKeys.parse(first)))
  using bySecond = await createEncryptor(keyRing(EncryptionKeys.parse(`${second},${first}`)))
  const linkId = randomUUID()
  const storeCredential = (accessToken: string, recordedAt: Date) =>
    knex.transaction((trx) =>
      upsertCredential(trx, byFirst, {
        link_id: linkId,
        site: site.site,
        provider: 'search',
        provider_user_id: 'U1',
        access_token: accessToken,
        access_secret: null,
        refresh_token: null,
        expires_at: null,
        recorded_at: recordedAt,
      }),
    )
  await storeCredential('earlier', new Date(1))
  let raced = false
  const encryptor = {
    ...bySecond,
    async decrypt(...encrypted: Parameters<typeof bySecond.decrypt>) {
      const plain = await bySecond.decrypt(...encrypted)
      if (encrypted[1].includes(linkId) && !raced) {
        raced = true
        await storeCredential('later', new Date(2))
      }
      return plain
    },
  }
  for (const { reencrypt } of encryptedAuthData.tables) await reencrypt({ knex, encryptor }, () => undefined)
  expect(raced).toBe(true)
  const row = await knex('credentials').where({ link_id: linkId }).first()
  expect(await bySecond.decrypt(row.access_token, ['credentials', linkId, 'access_token'])).toBe('later')
  expect(row.access_token.subarray(0, bySecond.head().length)).toEqual(bySecond.head())
  await knex('credentials').where({ link_id: linkId }).delete()
})

test('a damaged or swapped token is 500/3 for its user only, counted, reported by a rotation, and replaced by a login', async () => {
  const [harmed, bystander] = [newUserName(), newUserName()]
  const { identifier } = await login(harmed)
  const { identifier: other } = await login(bystander)
  const [before, others] = await Promise.all([credentialsOf(identifier), credentialsOf(other)])
  const [linkId, linkIdOfOther] = await Promise.all([linkIdOf(identifier), linkIdOf(other)])
  const row = () => knex('credentials').where({ link_id: linkId })
  const { access_token } = await row().first()
  const { access_token: ofOther } = await knex('credentials').where({ link_id: linkIdOfOther }).first()
  const flipped = Buffer.from(access_token)
  flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 1
  for (const damaged of [flipped, access_token.subarray(0, -1), Buffer.alloc(1), Buffer.alloc(0), ofOther]) {
    await row().update({ access_token: damaged })
    const { status, body } = await userAttribute(identifier)
    expect(status).toBe(500)
    expect(body).toMatchObject({ status: 'failed', error: { code: 3, message: 'Operation failed.' }, providers: {} })
    expect(await credentialsOf(other)).toEqual(others)
  }
  const [{ operations_port } = { operations_port: 0 }] = serviceStack.services.provider_auth
  const metrics = await (await fetch(`http://localhost:${operations_port}/metrics`)).text()
  expect(metrics).toMatch(
    /sociallogin_decryption_failures_total\{stored_in="credentials",reason="damaged",service_name="provider-auth"\} 5/,
  )

  await row().update({ access_token: flipped })
  expect(await runEncryption('check')).toEqual({
    code: 2,
    said: expect.stringMatching(
      `^signing_keys: 2 values decrypted\n.*\ncredentials: \\d+ values decrypted\n` +
        `credentials ${linkId} access_token: An encrypted value cannot be decrypted: .*\n$`,
    ),
  })
  await setRing(second, first)
  const { code, said } = await runEncryption('rotate')
  expect(code).toBe(2)
  expect(said).toContain(`cannot be decrypted; left unchanged: credentials ${linkId} access_token\n`)
  expect((await row().first()).access_token).toEqual(flipped)
  await login(harmed)
  expect(await credentialsOf(identifier)).toEqual({
    messaging: { ...before.messaging, ...(await freshTokens(identifier)) },
  })
  expect((await runEncryption('rotate')).code).toBe(0)
})

/** The fields that a login changes in a messaging credential; none is null. */
async function freshTokens(identifier: string) {
  const { messaging } = await credentialsOf(identifier)
  const { access_token, refresh_token, expires_at, updated_at, friendship_status_updated_at } = messaging ?? {}
  const fresh = { access_token, refresh_token, expires_at, updated_at, friendship_status_updated_at }
  expect(Object.values(fresh)).not.toContain(null)
  return fresh
}

test('a damaged signing key is replaced when it is withdrawn', async () => {
  const { kid } = await knex('signing_keys').where({ alg: 'ES256' }).first('kid')
  await knex('signing_keys')
    .where({ kid })
    .update({ private_jwk: Buffer.from('damaged') })
  const { stdout } = await promisify(execFile)(process.execPath, [keysScript, 'withdraw', kid], { env: environment() })
  expect(stdout).toMatch(`withdrawn: ${kid}\nsigning: `)
  expect((await runEncryption('check')).code).toBe(0)
})

test('values of a missing key cannot be read: 500/3 until the key is back; nothing is discarded', async () => {
  const { identifier } = await login(newUserName())
  // Another process encrypted it, so the service must get the data key with the ring.
  using another = await createEncryptor(keyRing(EncryptionKeys.parse(first)))
  const linkId = await linkIdOf(identifier)
  const link = { link_id: linkId, site: site.site, provider: 'messaging', recorded_at: new Date() } as const
  const tokens = { access_token: 'locked', access_secret: null, refresh_token: null, expires_at: null }
  await knex.transaction((trx) => upsertCredential(trx, another, { ...link, ...tokens, provider_user_id: 'U1' }))
  await setRing(second)
  expect(await userAttribute(identifier)).toMatchObject({ status: 500, body: { error: { code: 3 } } })
  const started = promisify(execFile)(process.execPath, [keysScript], { env: environment() })
  await expect(started).rejects.toMatchObject({ stderr: expect.stringContaining('the key first is not in the ring') })
  await setRing(first)
  expect(await userAttribute(identifier)).toMatchObject({
    status: 200,
    body: { providers: { messaging: { access_token: 'locked' } } },
  })
})

/** Reads the rows of tables, which may be empty, and returns the function that puts them back. */
async function saveRows(...tables: string[]): Promise<() => Promise<void>> {
  const rows = await Promise.all(tables.map((table) => knex(table).select()))
  return async () => {
    for (const [index, table] of tables.entries()) {
      await knex(table).delete()
      await knex.batchInsert(table, rows[index] ?? [])
    }
  }
}

test('a permanently lost key: its values are discarded and listed; users and sites continue with new values', async ({
  onTestFinished,
}) => {
  onTestFinished(await saveRows('signing_keys', 'provider_settings', 'credentials'))
  const userName = newUserName()
  const { identifier } = await login(userName)
  const before = await credentialsOf(identifier)
  expect(await runEncryption('discard', 'first')).toEqual({
    code: 1,
    said: 'encryption: The key first is still in the key ring, so its values are not lost. Run instead: encryption rotate\n',
  })
  await setRing(third)
  const { code, said } = await runEncryption('discard', 'first')
  expect(code).toBe(0)
  expect(said).toMatch(/^deleted: \d+ tokens, 2 signing keys\n/)
  for (const provider of ['messaging', 'portal', 'search'])
    expect(said).toContain(
      `save these provider settings again, with the client secret: ${site.account}/${site.site_id}/${provider}\n`,
    )
  expect(await credentialsOf(identifier)).toEqual({
    messaging: { ...before.messaging, access_token: null, refresh_token: null },
  })
})

test('the command prints its usage', async () => {
  for (const command of [[], ['discard']]) {
    const { code, said } = await runEncryption(...command)
    expect(code).toBe(1)
    expect(said).toMatch(/^usage: encryption rotate/)
  }
})
