import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Fault, type Provider } from '#contracts'
import { hashSecret, newToken } from '#runtime'
import { removeOutdatedAssociations } from '../store/association-tokens.ts'
import { upsertCredential } from '../store/credentials.ts'
import { insertOneTimeToken, removeOutdatedOneTimeTokens } from '../store/one-time-tokens.ts'
import type { GivenCredential } from '../store/sealed-credentials.ts'
import { type Logins, startLogins, type TestClient } from './logins.ts'

let logins: Logins
let client: TestClient
beforeAll(async () => {
  logins = await startLogins()
  client = await logins.registerClient()
  for (const provider of ['messaging', 'search'] as const) await saveSettings({ provider })
})
afterAll(() => logins[Symbol.asyncDispose]())

const provider_auth = () => logins.constellation.provider_auth
const call = () => logins.constellation.call()

const saveSettings = (changes: { provider: 'messaging' | 'search'; enabled?: boolean }) => {
  const names = { site: logins.site, account: 'test', site_id: 'shop', client_id: 'c', client_secret: 's' }
  return provider_auth().saveProviderSettings({ ...names, ...changes }, call())
}

/** What a login leaves: a credential, a code with an access token, and a one-time token. */
async function logIn(identifier: string, provider: Provider, recorded_at = new Date()) {
  const { site, knex, sealer } = logins
  const owner = { site, identifier, provider, recorded_at }
  const none = { access_secret: null, refresh_token: null, expires_at: null }
  const provider_user_id = `U of ${identifier}`
  const credential: GivenCredential = {
    ...owner,
    ...none,
    provider_user_id,
    access_token: `${provider} of ${identifier}`,
  }
  const one_time_token = newToken('slot_')
  const { code } = await logins.endLogin(client.client_id, { identifier, provider, recorded_at })
  await knex.transaction(async (trx) => {
    await upsertCredential(trx, sealer, credential)
    await insertOneTimeToken(trx, { ...owner, token: one_time_token })
  })
  return { access_token: (await logins.fetchTokens(client, code)).access_token, one_time_token }
}

/** Stores a credential alone. */
async function keep(identifier: string, provider: Provider, recorded_at = new Date()): Promise<void> {
  const { site, knex, sealer } = logins
  const none = { access_secret: null, refresh_token: null, expires_at: null }
  const account = { provider, provider_user_id: `U of ${identifier}` }
  const given = { site, identifier, ...account, recorded_at, access_token: `${provider} of ${identifier}`, ...none }
  await knex.transaction((trx) => upsertCredential(trx, sealer, given))
}

async function tokensOf(identifier: string): Promise<Partial<Record<Provider, string | null>>> {
  const { credentials } = await provider_auth().readCredentials({ site: logins.site, identifier }, call())
  return Object.fromEntries(Object.entries(credentials).map(([provider, { access_token }]) => [provider, access_token]))
}

const redeem = (token: string, site = logins.site) => provider_auth().redeemOneTimeToken({ site, token }, call())
const associate = (identifier: string, provider: Provider = 'search') =>
  provider_auth().issueAssociationToken({ site: logins.site, identifier, provider }, call())
const livesOn = async (token: string) =>
  (await logins.knex('association_tokens').where({ token_hash: hashSecret(token) })).length === 1
/** A merge at which both accounts of the source moved, unless told otherwise. */
const merge = (source: string, destination: string, changes: { providers?: Provider[]; merged_at?: string } = {}) => {
  const moved: Provider[] = ['messaging', 'search']
  const order = { site: logins.site, source, destination, providers: moved, merged_at: now(), ...changes }
  return provider_auth().mergeUsers(order, call())
}
const unlink = (identifier: string, providers: Provider[], unlinked_at = now()) =>
  provider_auth().removeProviders({ site: logins.site, identifier, providers, unlinked_at }, call())

const now = () => new Date().toISOString()
const invalid_token = new Fault('invalid_authentication_token')

describe('redeemOneTimeToken', () => {
  test('answers the user to one caller alone, however many ask at once', async () => {
    const identifier = await logins.createUser()
    const { one_time_token } = await logIn(identifier, 'messaging')
    const answers = await Promise.allSettled(Array.from({ length: 10 }, () => redeem(one_time_token)))
    expect(answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))).toEqual([{ identifier }])
  })

  test('invalid_authentication_token for an unknown token, and for another site, which does not use it up', async () => {
    const identifier = await logins.createUser()
    const { one_time_token } = await logIn(identifier, 'messaging')
    await expect(redeem('slot_unknown')).rejects.toEqual(invalid_token)
    await expect(redeem(one_time_token, logins.site + 1)).rejects.toEqual(invalid_token)
    expect(await redeem(one_time_token)).toEqual({ identifier })
  })

  test('invalid_authentication_token after five minutes', async () => {
    const { one_time_token } = await logIn(await logins.createUser(), 'messaging')
    const where = { token_hash: hashSecret(one_time_token) }
    const { expires_at } = await logins.knex('one_time_tokens').where(where).first('expires_at')
    expect(Math.abs(expires_at - Date.now() - 300_000)).toBeLessThan(5_000)
    await logins.knex('one_time_tokens').where(where).update({ expires_at: logins.knex.fn.now() })
    await expect(redeem(one_time_token)).rejects.toEqual(invalid_token)
  })
})

describe('issueAssociationToken', () => {
  test('LK-7 at most 40 characters, 30 minutes, an address of the site’s own, and stored as a hash', async () => {
    const identifier = await logins.createUser()
    const { token, expired_at, authenticate_uri } = await associate(identifier)
    expect(token).toMatch(/^slas_[\w-]{32}$/)
    expect(Math.abs(Date.parse(expired_at) - Date.now() - 1_800_000)).toBeLessThan(5_000)
    expect(authenticate_uri).toBe(`${logins.auth}/test/shop/search/associate?token=${token}`)
    const rows = await logins.knex('association_tokens').where({ identifier })
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  test('LK-7 one for a user: of two issued at once exactly one lives', async () => {
    const identifier = await logins.createUser()
    const [a, b] = await Promise.all([associate(identifier), associate(identifier, 'messaging')])
    expect(await Promise.all([livesOn(a.token), livesOn(b.token)]).then((live) => live.filter(Boolean))).toHaveLength(1)
    const later = await associate(identifier)
    expect(await Promise.all([a, b, later].map(({ token }) => livesOn(token)))).toEqual([false, false, true])
  })

  test.each<Provider>(['portal', 'shopping', 'search_legacy'])(
    'provider_settings_incomplete for %s, which is not configured',
    async (provider) => {
      const identifier = await logins.createUser()
      await expect(associate(identifier, provider)).rejects.toEqual(new Fault('provider_settings_incomplete'))
    },
  )

  test('LK-9 provider_settings_incomplete once the settings are disabled, and earlier tokens do not come back with them', async () => {
    const identifier = await logins.createUser()
    const { token } = await associate(identifier, 'messaging')
    await saveSettings({ provider: 'messaging', enabled: false })
    await expect(associate(identifier, 'messaging')).rejects.toEqual(new Fault('provider_settings_incomplete'))
    await saveSettings({ provider: 'messaging' })
    expect(await livesOn(token)).toBe(false)
  })

  test('LK-9 dies with its user', async () => {
    const identifier = await logins.createUser()
    const { token } = await associate(identifier)
    await provider_auth().forgetUser({ site: logins.site, identifier }, call())
    expect(await livesOn(token)).toBe(false)
    expect(await livesOn((await associate(identifier)).token)).toBe(false)
  })
})

test('the sweep removes tokens that are over, and no others', async () => {
  const { knex } = logins
  const [over, alive] = [await logins.createUser(), await logins.createUser()]
  for (const identifier of [over, alive]) {
    await logIn(identifier, 'messaging')
    await associate(identifier)
  }
  for (const table of ['one_time_tokens', 'association_tokens'])
    await knex(table)
      .where({ identifier: over })
      .update({ expires_at: new Date(0) })
  await Promise.all([removeOutdatedAssociations(knex), removeOutdatedOneTimeTokens(knex)])
  for (const table of ['one_time_tokens', 'association_tokens'])
    expect(await knex(table).whereIn('identifier', [over, alive]).pluck('identifier')).toEqual([alive])
})

describe('removeProviders', () => {
  test('removes the credential, codes and tokens of those providers’ logins alone, and may be asked twice', async () => {
    const identifier = await logins.createUser()
    const gone = await logIn(identifier, 'messaging')
    const kept = await logIn(identifier, 'search')
    const { token } = await associate(identifier)
    await unlink(identifier, ['messaging'])
    await unlink(identifier, ['messaging'])
    expect(await tokensOf(identifier)).toEqual({ search: `search of ${identifier}` })
    expect((await logins.userinfo(gone.access_token)).status).toBe(401)
    expect((await logins.userinfo(kept.access_token)).status).toBe(200)
    await expect(redeem(gone.one_time_token)).rejects.toEqual(invalid_token)
    expect(await redeem(kept.one_time_token)).toEqual({ identifier })
    expect(await livesOn(token)).toBe(false)
  })

  test('a login of before that is stored late is not kept', async () => {
    const identifier = await logins.createUser()
    const recorded_at = new Date()
    await unlink(identifier, ['messaging'])
    await keep(identifier, 'messaging', recorded_at)
    expect(await tokensOf(identifier)).toEqual({})
  })

  test('asked late, leaves what was given after the unlinking, within the same second too', async () => {
    const identifier = await logins.createUser()
    const unlinked_at = now()
    const { access_token, one_time_token } = await logIn(identifier, 'messaging', new Date(Date.parse(unlinked_at) + 1))
    const { token } = await associate(identifier)
    await unlink(identifier, ['messaging'], unlinked_at)
    expect(await tokensOf(identifier)).toHaveProperty('messaging')
    expect((await logins.userinfo(access_token)).status).toBe(200)
    expect(await redeem(one_time_token)).toEqual({ identifier })
    expect(await livesOn(token)).toBe(true)
  })
})

describe('mergeUsers', () => {
  const users = (count: number) => Promise.all(Array.from({ length: count }, () => logins.createUser()))

  test('moves credentials with their times, revokes all that was issued for the source, and may be asked twice', async () => {
    const [a = '', b = ''] = await users(2)
    const issued = await logIn(a, 'messaging')
    await logIn(b, 'search')
    const { token } = await associate(a)
    const times = { created_at: new Date(0), updated_at: new Date(1_000) }
    await logins.knex('credentials').where({ identifier: a }).update(times)
    await merge(a, b)
    await merge(a, b)
    expect(await tokensOf(a)).toEqual({})
    expect(await tokensOf(b)).toEqual({ messaging: `messaging of ${a}`, search: `search of ${b}` })
    expect(await logins.knex('credentials').where({ identifier: b, provider: 'messaging' }).first()).toMatchObject(
      times,
    )
    expect((await logins.userinfo(issued.access_token)).status).toBe(401)
    await expect(redeem(issued.one_time_token)).rejects.toEqual(invalid_token)
    expect(await livesOn(token)).toBe(false)
    expect(await livesOn((await associate(a)).token)).toBe(false)
  })

  test('leaves the destination’s own credential of a provider whose account did not move', async () => {
    const [a = '', b = ''] = await users(2)
    await logIn(a, 'messaging')
    await logIn(b, 'messaging')
    await merge(a, b, { providers: [] })
    expect(await tokensOf(b)).toEqual({ messaging: `messaging of ${b}` })
  })

  test('of a destination that unlinked its own account before, but is told of it later', async () => {
    const [a = '', b = ''] = await users(2)
    await logIn(b, 'messaging')
    await logIn(a, 'messaging')
    const unlinked_at = now()
    await merge(a, b, { merged_at: new Date(Date.parse(unlinked_at) + 1).toISOString() })
    await unlink(b, ['messaging'], unlinked_at)
    expect(await tokensOf(b)).toEqual({ messaging: `messaging of ${a}` })
  })

  test.each([
    ['in order', [0, 1]],
    ['out of order', [1, 0]],
  ])('A into B and B into C, told %s: all is C’s, and nobody comes back', async (_, order) => {
    const [a = '', b = '', c = ''] = await users(3)
    await logIn(a, 'messaging')
    await logIn(b, 'search')
    const merges = [() => merge(a, b), () => merge(b, c)]
    for (const index of [...order, ...order]) await merges[index]?.()
    for (const gone of [a, b]) expect(await tokensOf(gone)).toEqual({})
    expect(await tokensOf(c)).toEqual({ messaging: `messaging of ${a}`, search: `search of ${b}` })
  })

  test('told at once: A into B while B into C loses nothing', async () => {
    const [a = '', b = '', c = ''] = await users(3)
    await logIn(a, 'messaging')
    await logIn(b, 'search')
    await Promise.all([merge(a, b), merge(b, c)])
    expect(await tokensOf(c)).toEqual({ messaging: `messaging of ${a}`, search: `search of ${b}` })
  })

  test('a login that is stored late is the destination’s', async () => {
    const [a = '', b = '', c = ''] = await users(3)
    await merge(a, b)
    await merge(b, c)
    const { one_time_token } = await logIn(a, 'messaging')
    expect(await tokensOf(a)).toEqual({})
    expect(await tokensOf(c)).toEqual({ messaging: `messaging of ${a}` })
    expect(await redeem(one_time_token)).toEqual({ identifier: c })
  })

  test('into a user who was deleted: nothing remains, and nothing is kept later', async () => {
    const [a = '', b = ''] = await users(2)
    await logIn(a, 'messaging')
    await provider_auth().forgetUser({ site: logins.site, identifier: b }, call())
    await merge(a, b)
    const whose = { site: logins.site, identifier: a, provider: 'search', recorded_at: new Date() } as const
    const late = { ...whose, token: newToken('slot_') }
    await logins.knex.transaction((trx) => insertOneTimeToken(trx, late))
    await expect(redeem(late.token)).rejects.toEqual(invalid_token)
    for (const identifier of [a, b]) expect(await tokensOf(identifier)).toEqual({})
  })

  test('a login that is stored late is nobody’s when its provider did not move, or was unlinked on the way', async () => {
    const [a = '', b = '', c = ''] = await users(3)
    await merge(a, b, { providers: ['search'] })
    await merge(b, c, { providers: ['search'] })
    await keep(a, 'messaging')
    await unlink(c, ['search'])
    await keep(a, 'search', new Date(0))
    for (const identifier of [a, b, c]) expect(await tokensOf(identifier)).toEqual({})
  })

  test('waits for a login of the source that is being stored, and moves what it stored', async () => {
    const [a = '', b = ''] = await users(2)
    const { site, knex, sealer } = logins
    const none = { access_secret: null, refresh_token: null, expires_at: null }
    const trx = await knex.transaction()
    await upsertCredential(trx, sealer, {
      ...{ site, identifier: a, provider: 'search', recorded_at: new Date() },
      ...{ provider_user_id: 'U1', access_token: 'late', ...none },
    })
    const merged = merge(a, b)
    await expect.poll(() => knex.raw(waiting).then(({ rows }) => rows.length)).toBe(1)
    await trx.commit()
    await merged
    expect(await tokensOf(b)).toEqual({ search: 'late' })
  })
})

const waiting = `select from pg_locks where locktype = 'advisory' and not granted
  and database = (select oid from pg_database where datname = current_database())`
