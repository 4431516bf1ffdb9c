import { afterAll, beforeAll, expect, test } from 'vitest'
import { upsertCredential } from '../store/credentials.ts'
import type { GivenCredential } from '../store/sealed-credentials.ts'
import { type Logins, startLogins } from './logins.ts'

let logins: Logins
beforeAll(async () => {
  logins = await startLogins()
})
afterAll(() => logins[Symbol.asyncDispose]())

let sites = 100
const settings = () => ({
  site: ++sites,
  account: 'test',
  site_id: 'shop',
  client_id: 'channel',
  client_secret: 's3cret',
})
const provider_auth = () => logins.constellation.provider_auth
const call = () => logins.constellation.call()

test('registerClient: a secret of 256 bits for a confidential client, none for a public one', async () => {
  const input = { site: logins.site, name: 'shop', redirect_uris: ['http://localhost:8088/callback'] }
  const confidential = await provider_auth().registerClient({ ...input, kind: 'confidential' }, call())
  expect(confidential.client_secret).toMatch(/^slcs_[\w-]{43}$/)
  const app = await provider_auth().registerClient({ ...input, kind: 'public' }, call())
  expect(app.client_secret).toBeNull()
  expect(app.client_id).not.toBe(confidential.client_id)
})

test('registerClient: invalid_parameter, and nothing registered, when one redirect_uri may not be', async () => {
  const before = await logins.knex('clients').count()
  const redirect_uris = ['https://shop.example.com/callback', 'http://shop.example.com/callback']
  const input = { site: logins.site, name: 'shop', kind: 'confidential', redirect_uris } as const
  await expect(provider_auth().registerClient(input, call())).rejects.toMatchObject({
    fault: 'invalid_parameter',
    about: [{ field: 'redirect_uris.1', reason: 'must be https: http is for this very machine only' }],
  })
  expect(await logins.knex('clients').count()).toEqual(before)
})

test('saveProviderSettings: tells the addresses, and keeps the identifier when settings are replaced', async () => {
  const mine = { ...settings(), provider: 'microblog' } as const
  const first = await provider_auth().saveProviderSettings(mine, call())
  expect(first.login_provider_identifier).toMatch(/^[\w-]{22}$/)
  const path = `microblog_x/${first.login_provider_identifier}`
  expect(first.authorize_uri).toBe(`${logins.auth}/oauth2/authorize/${path}`)
  expect(first.provider_callback).toBe(`${logins.auth}/oauth2/callback/${path}`)
  expect(await provider_auth().saveProviderSettings({ ...mine, client_id: 'other' }, call())).toEqual(first)
  const another = await provider_auth().saveProviderSettings({ ...mine, site: ++sites }, call())
  expect(another.login_provider_identifier).not.toBe(first.login_provider_identifier)
})

test('saveProviderSettings: the provider’s secret is sealed at rest', async () => {
  const mine = settings()
  await provider_auth().saveProviderSettings({ ...mine, provider: 'messaging', client_secret: 'very-s3cret' }, call())
  const row = await logins.knex('provider_settings').where({ site: mine.site }).first()
  expect(row.client_secret.toString('latin1')).not.toContain('very-s3cret')
})

test('listProviders: enabled providers of the site alone, in the specification’s order', async () => {
  const mine = settings()
  for (const provider of ['microblog', 'search', 'messaging'] as const)
    await provider_auth().saveProviderSettings({ ...mine, provider }, call())
  await provider_auth().saveProviderSettings({ ...mine, provider: 'portal', enabled: false }, call())
  await provider_auth().saveProviderSettings({ ...settings(), provider: 'social' }, call())
  expect(await provider_auth().listProviders({ site: mine.site }, call())).toEqual({
    providers: ['messaging', 'search', 'microblog'],
  })
})

const tokens: Omit<GivenCredential, 'site' | 'identifier' | 'provider' | 'recorded_at'> = {
  provider_user_id: 'U1',
  access_token: 'a1',
  access_secret: null,
  refresh_token: 'r1',
  expires_at: new Date('2030-01-02T03:04:05Z'),
}

test('readCredentials: the newest tokens, opened; sealed at rest; the first time stays', async () => {
  const identifier = await logins.createUser()
  const { site, knex, sealer } = logins
  const owner = { site, identifier, provider: 'messaging' } as const
  const keep = (given: Partial<typeof tokens>) =>
    knex.transaction((trx) => upsertCredential(trx, sealer, { ...owner, ...tokens, ...given, recorded_at: new Date() }))
  await keep({})
  const first = await provider_auth().readCredentials({ site, identifier }, call())
  expect(first).toEqual({
    credentials: {
      messaging: {
        access_token: 'a1',
        access_secret: null,
        refresh_token: 'r1',
        expires_at: '2030-01-02T03:04:05Z',
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    },
  })
  await knex('credentials')
    .where(owner)
    .update({ created_at: new Date(0), updated_at: new Date(0) })
  await keep({ access_token: 'a2', refresh_token: null })
  const { credentials } = await provider_auth().readCredentials({ site, identifier }, call())
  expect(credentials.messaging).toMatchObject({
    access_token: 'a2',
    refresh_token: 'r1',
    created_at: '1970-01-01T00:00:00Z',
  })
  expect(credentials.messaging?.updated_at).not.toBe('1970-01-01T00:00:00Z')
  const row = await knex('credentials').where(owner).first()
  expect(row.access_token.toString('latin1')).not.toContain('a2')
})

test('readCredentials: nothing for another site or a user without credentials', async () => {
  const identifier = await logins.createUser()
  expect(await provider_auth().readCredentials({ site: logins.site, identifier }, call())).toEqual({ credentials: {} })
})

test('forgetUser: removes credentials, codes and tokens for good, and may be asked twice', async () => {
  const client = await logins.registerClient()
  const { code, identifier } = await logins.endLogin(client.client_id)
  const { access_token } = await logins.fetchTokens(client, code)
  const user = { site: logins.site, identifier }
  const credential = { ...user, ...tokens, provider: 'messaging', recorded_at: new Date() } as const
  const keep = () => logins.knex.transaction((trx) => upsertCredential(trx, logins.sealer, credential))
  await keep()

  await provider_auth().forgetUser(user, call())
  await provider_auth().forgetUser(user, call())
  expect((await logins.userinfo(access_token)).status).toBe(401)

  await keep()
  await logins.endLogin(client.client_id, { identifier })
  for (const table of ['credentials', 'authorization_codes']) expect(await logins.knex(table).where(user)).toEqual([])
})

test('forgetUser: waits for a login that is being stored, and removes what it stored', async () => {
  const identifier = await logins.createUser()
  const user = { site: logins.site, identifier }
  const trx = await logins.knex.transaction()
  await upsertCredential(trx, logins.sealer, { ...user, ...tokens, provider: 'messaging', recorded_at: new Date() })
  const forgotten = provider_auth().forgetUser(user, call())
  await expect.poll(() => logins.knex.raw(waiting).then(({ rows }) => rows.length)).toBe(1)
  await trx.commit()
  await forgotten
  expect(await logins.knex('credentials').where(user)).toEqual([])
})

const waiting = `select from pg_locks where locktype = 'advisory' and not granted
  and database = (select oid from pg_database where datname = current_database())`
