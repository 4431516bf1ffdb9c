import { beforeAll, describe, expect, test } from 'vitest'
import { Fault, type Provider } from '#contracts'
import { lockLinks } from '#database'
import { hashSecret, newToken } from '#runtime'
import { passClockSteps, setTime } from '#testing'
import { deleteExpiredAssociations } from '../store/association-tokens.ts'
import { upsertCredential } from '../store/credentials.ts'
import { deleteExpiredOneTimeTokens, insertOneTimeToken } from '../store/one-time-tokens.ts'
import { createLoginsFixture, type TestClient } from './logins.ts'

const logins = createLoginsFixture()
let client: TestClient
beforeAll(async () => {
  client = await logins.registerClient()
  for (const provider of ['messaging', 'search'] as const) await saveSettings({ provider })
})

const providerAuth = () => logins.serviceStack.provider_auth
const call = () => logins.serviceStack.call()

const saveSettings = (changes: { provider: 'messaging' | 'search'; enabled?: boolean }) => {
  const names = { site: logins.site, account: 'test', site_id: logins.site_id, client_id: 'c', client_secret: 's' }
  return providerAuth().saveProviderSettings({ ...names, ...changes }, call())
}

/** The result of a login: a credential, a code with an access token, and a one-time token. */
async function logIn(identifier: string, provider: Provider, recordedAt = new Date()) {
  const { site, knex, encryptor } = logins
  const linkId = await logins.linkIdOf(identifier, provider)
  const login = { site, identifier, provider, link_id: linkId, recorded_at: recordedAt }
  const none = { access_secret: null, refresh_token: null, expires_at: null }
  const account = { provider_user_id: `U of ${identifier}`, access_token: `${provider} of ${identifier}` }
  const oneTimeToken = newToken('slot_')
  const { code } = await logins.endLogin(client.client_id, { identifier, provider, recorded_at: recordedAt })
  await knex.transaction(async (trx) => {
    await upsertCredential(trx, encryptor, { ...login, ...none, ...account })
    await insertOneTimeToken(trx, { ...login, token: oneTimeToken })
  })
  return {
    link_id: linkId,
    access_token: (await logins.fetchTokens(client, code)).access_token,
    one_time_token: oneTimeToken,
  }
}

async function tokensOf(...linkIds: string[]): Promise<(string | null | undefined)[]> {
  const { credentials } = await providerAuth().readCredentials({ site: logins.site, link_ids: linkIds }, call())
  return linkIds.map((linkId) => credentials[linkId]?.access_token)
}

/** The user of a one-time token. */
const redeem = async (token: string, site = logins.site) => {
  const { identifier } = await providerAuth().redeemOneTimeToken({ site, token }, call())
  return { identifier }
}
const associate = (identifier: string, provider: Provider = 'search') =>
  providerAuth().issueAssociationToken({ site: logins.site, identifier, provider }, call())
const isTokenValid = async (token: string) =>
  (await logins.knex('association_tokens').where({ token_hash: hashSecret(token) })).length === 1
const deleteLinks = (identifier: string, linkIds: string[], deletedAt = now()) =>
  providerAuth().deleteLinks({ site: logins.site, identifier, link_ids: linkIds, deleted_at: deletedAt }, call())

const now = () => new Date().toISOString()
const invalidToken = new Fault('invalid_authentication_token')

describe('redeemOneTimeToken', () => {
  test('returns the user to only one of many concurrent callers', async () => {
    const identifier = await logins.createUser()
    const { one_time_token } = await logIn(identifier, 'messaging')
    const responses = await Promise.allSettled(Array.from({ length: 10 }, () => redeem(one_time_token)))
    expect(responses.flatMap((response) => (response.status === 'fulfilled' ? [response.value] : []))).toEqual([
      { identifier },
    ])
  })

  test('invalid_authentication_token for an unknown token, and for another site, which does not redeem it', async () => {
    const identifier = await logins.createUser()
    const { one_time_token } = await logIn(identifier, 'messaging')
    await expect(redeem('slot_unknown')).rejects.toEqual(invalidToken)
    await expect(redeem(one_time_token, logins.site + 1)).rejects.toEqual(invalidToken)
    expect(await redeem(one_time_token)).toEqual({ identifier })
  })

  test('invalid_authentication_token after five minutes', async () => {
    const identifier = await logins.createUser()
    const { result, expectAfter } = await setTime(() => logIn(identifier, 'messaging'))
    const { one_time_token } = result
    const where = { token_hash: hashSecret(one_time_token) }
    const { expires_at } = await logins.knex('one_time_tokens').where(where).first('expires_at')
    expectAfter(expires_at, 300_000)
    await logins.knex('one_time_tokens').where(where).update({ expires_at: logins.knex.fn.now() })
    await expect(redeem(one_time_token)).rejects.toEqual(invalidToken)
  })
})

describe('issueAssociationToken', () => {
  test('at most 40 characters, 30 minutes, a URL of the site, and stored as a hash', async () => {
    const identifier = await logins.createUser()
    const { result, expectAfter } = await setTime(() => associate(identifier))
    const { token, expired_at, authenticate_uri } = result
    expect(token).toMatch(/^slas_[\w-]{32}$/)
    expectAfter(expired_at, 1_800_000)
    expect(authenticate_uri).toBe(`${logins.auth}/test/${logins.site_id}/search/associate?token=${token}`)
    const rows = await logins.knex('association_tokens').where({ identifier })
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  test('one for each user: of two issued concurrently exactly one is valid', async () => {
    const identifier = await logins.createUser()
    const [a, b] = await Promise.all([associate(identifier), associate(identifier, 'messaging')])
    expect(
      await Promise.all([isTokenValid(a.token), isTokenValid(b.token)]).then((live) => live.filter(Boolean)),
    ).toHaveLength(1)
    const later = await associate(identifier)
    expect(await Promise.all([a, b, later].map(({ token }) => isTokenValid(token)))).toEqual([false, false, true])
  })

  test.each<Provider>(['portal', 'shopping', 'search_legacy'])(
    'provider_settings_incomplete for %s, which is not configured',
    async (provider) => {
      const identifier = await logins.createUser()
      await expect(associate(identifier, provider)).rejects.toEqual(new Fault('provider_settings_incomplete'))
    },
  )

  test('provider_settings_incomplete after the settings were disabled; earlier tokens stay invalid when they are enabled', async () => {
    const identifier = await logins.createUser()
    const { token } = await associate(identifier, 'messaging')
    await saveSettings({ provider: 'messaging', enabled: false })
    await expect(associate(identifier, 'messaging')).rejects.toEqual(new Fault('provider_settings_incomplete'))
    await saveSettings({ provider: 'messaging' })
    expect(await isTokenValid(token)).toBe(false)
  })

  test('is deleted with its user', async () => {
    const identifier = await logins.createUser()
    const { token } = await associate(identifier)
    await deleteLinks(identifier, [])
    expect(await isTokenValid(token)).toBe(false)
  })

  test('is deleted with a user who is deleted in the millisecond of its issue', async () => {
    const identifier = await logins.createUser()
    const { token } = await associate(identifier)
    const { issued_at } = await logins.knex('association_tokens').where({ identifier }).first('issued_at')
    await deleteLinks(identifier, [], issued_at.toISOString())
    expect(await isTokenValid(token)).toBe(false)
  })
})

test('the cleanup removes expired tokens and no others', async () => {
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
  await Promise.all([deleteExpiredAssociations(knex), deleteExpiredOneTimeTokens(knex)])
  for (const table of ['one_time_tokens', 'association_tokens'])
    expect(await knex(table).whereIn('identifier', [over, alive]).pluck('identifier')).toEqual([alive])
})

describe('deleteLinks', () => {
  test('deletes the credential, codes and tokens of the logins of these links only, also when it is repeated', async () => {
    const identifier = await logins.createUser()
    const deleted = await logIn(identifier, 'messaging')
    const stored = await logIn(identifier, 'search')
    const { token } = await associate(identifier)
    await passClockSteps()
    for (let times = 0; times < 2; times++) await deleteLinks(identifier, [deleted.link_id])
    expect(await tokensOf(deleted.link_id, stored.link_id)).toEqual([undefined, `search of ${identifier}`])
    expect((await logins.userinfo(deleted.access_token)).status).toBe(401)
    expect((await logins.userinfo(stored.access_token)).status).toBe(200)
    await expect(redeem(deleted.one_time_token)).rejects.toEqual(invalidToken)
    expect(await redeem(stored.one_time_token)).toEqual({ identifier })
    expect(await isTokenValid(token)).toBe(false)
  })

  test('leaves association tokens that were issued after it, also within the same second', async () => {
    const identifier = await logins.createUser()
    const deletedAt = now()
    await passClockSteps()
    // A token of the same millisecond is deleted.
    await expect.poll(now, { interval: 1 }).not.toBe(deletedAt)
    const { token } = await associate(identifier)
    await deleteLinks(identifier, [], deletedAt)
    expect(await isTokenValid(token)).toBe(true)
  })

  test('waits for a login that is being stored, and deletes its data', async () => {
    const { site, knex, encryptor } = logins
    const identifier = await logins.createUser()
    const linkId = await logins.linkIdOf(identifier)
    const trx = await knex.transaction()
    await lockLinks(trx, [linkId])
    await upsertCredential(trx, encryptor, {
      site,
      provider: 'messaging',
      link_id: linkId,
      recorded_at: new Date(),
      provider_user_id: 'U1',
      access_token: 'a',
      access_secret: null,
      refresh_token: null,
      expires_at: null,
    })
    const deleting = deleteLinks(identifier, [linkId])
    await expect.poll(() => knex.raw(waiting).then(({ rows }) => rows.length)).toBe(1)
    await trx.commit()
    await deleting
    expect(await tokensOf(linkId)).toEqual([undefined])
  })
})

test('a merge leaves the data of the links, and revokes what was issued for the source', async () => {
  const { serviceStack, site } = logins
  const source = await logins.createUser()
  const { user } = await serviceStack.identity.createUser({ site, links: [] }, call())
  const { link_id, access_token } = await logIn(source, 'messaging')
  await serviceStack.identity.mergeUsers(
    { site, source: { identifier: source }, destination: { identifier: user.identifier }, nomerge: false },
    call(),
  )
  expect(await tokensOf(link_id)).toEqual([`messaging of ${source}`])
  expect((await logins.userinfo(access_token)).status).toBe(401)
})

const waiting = `select from pg_locks where locktype = 'advisory' and not granted
  and database = (select oid from pg_database where datname = current_database())`
