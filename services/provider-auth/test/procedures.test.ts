import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { passClockSteps } from '#testing'
import type { ProviderCredential } from '../domain/credential.ts'
import { upsertCredential } from '../store/credentials.ts'
import { createLoginsFixture } from './logins.ts'

const logins = createLoginsFixture()

let sites = 1_000_000
const settings = () => ({
  site: ++sites,
  account: 'test',
  site_id: `shop-${sites}`,
  client_id: 'channel',
  client_secret: 's3cret',
})
const providerAuth = () => logins.serviceStack.provider_auth
const call = () => logins.serviceStack.call()

test('registerClient: a secret of 256 bits for a confidential client, none for a public one', async () => {
  const input = { site: logins.site, name: 'shop', redirect_uris: ['http://localhost:8088/callback'] }
  const confidential = await providerAuth().registerClient({ ...input, kind: 'confidential' }, call())
  expect(confidential.client_secret).toMatch(/^slcs_[\w-]{43}$/)
  const app = await providerAuth().registerClient({ ...input, kind: 'public' }, call())
  expect(app.client_secret).toBeNull()
  expect(app.client_id).not.toBe(confidential.client_id)
})

test('registerClient: invalid_parameter, and nothing is registered, if one redirect_uri is not allowed', async () => {
  const before = await logins.knex('clients').count()
  const redirectUris = ['https://shop.example.com/callback', 'http://shop.example.com/callback']
  const input = { site: logins.site, name: 'shop', kind: 'confidential', redirect_uris: redirectUris } as const
  await expect(providerAuth().registerClient(input, call())).rejects.toMatchObject({
    fault: 'invalid_parameter',
    fields: [{ field: 'redirect_uris.1', reason: 'must use https: http is allowed for localhost only' }],
  })
  expect(await logins.knex('clients').count()).toEqual(before)
})

test('saveProviderSettings: returns the URIs, and keeps the identifier when settings are replaced', async () => {
  const mine = { ...settings(), provider: 'microblog' } as const
  const first = await providerAuth().saveProviderSettings(mine, call())
  expect(first.login_provider_identifier).toMatch(/^[\w-]{22}$/)
  const path = `microblog_x/${first.login_provider_identifier}`
  expect(first.authorize_uri).toBe(`${logins.auth}/oauth2/authorize/${path}`)
  expect(first.provider_callback).toBe(`${logins.auth}/oauth2/callback/${path}`)
  expect(await providerAuth().saveProviderSettings({ ...mine, client_id: 'other' }, call())).toEqual(first)
  const another = await providerAuth().saveProviderSettings({ ...mine, site: ++sites }, call())
  expect(another.login_provider_identifier).not.toBe(first.login_provider_identifier)
})

test('saveProviderSettings: the provider’s secret is encrypted at rest', async () => {
  const mine = settings()
  await providerAuth().saveProviderSettings({ ...mine, provider: 'messaging', client_secret: 'very-s3cret' }, call())
  const row = await logins.knex('provider_settings').where({ site: mine.site }).first()
  expect(row.client_secret.toString('latin1')).not.toContain('very-s3cret')
})

test('listProviders: enabled providers of the site only, in the specification’s order', async () => {
  const mine = settings()
  for (const provider of ['microblog', 'search', 'messaging'] as const)
    await providerAuth().saveProviderSettings({ ...mine, provider }, call())
  await providerAuth().saveProviderSettings({ ...mine, provider: 'portal', enabled: false }, call())
  await providerAuth().saveProviderSettings({ ...settings(), provider: 'social' }, call())
  expect(await providerAuth().listProviders({ site: mine.site }, call())).toEqual({
    providers: ['messaging', 'search', 'microblog'],
  })
})

const tokens: Omit<ProviderCredential, 'link_id' | 'site' | 'provider' | 'recorded_at'> = {
  provider_user_id: 'U1',
  access_token: 'a1',
  access_secret: null,
  refresh_token: 'r1',
  expires_at: new Date('2030-01-02T03:04:05Z'),
}

test('readCredentials: the newest tokens, decrypted; encrypted at rest; the time of the first login stays', async () => {
  const { site, knex, encryptor } = logins
  const linkId = randomUUID()
  const store = (given: Partial<typeof tokens>) =>
    knex.transaction((trx) =>
      upsertCredential(trx, encryptor, {
        link_id: linkId,
        site,
        provider: 'messaging',
        recorded_at: new Date(),
        ...tokens,
        ...given,
      }),
    )
  const read = async () =>
    (await providerAuth().readCredentials({ site, link_ids: [linkId, randomUUID()] }, call())).credentials
  await store({})
  expect(await read()).toEqual({
    [linkId]: {
      access_token: 'a1',
      client_access_token: null,
      client_access_secret: null,
      client_refresh_token: null,
      client_expires_at: null,
      access_secret: null,
      refresh_token: 'r1',
      expires_at: '2030-01-02T03:04:05Z',
      created_at: expect.any(String),
      updated_at: expect.any(String),
    },
  })
  await knex('credentials')
    .where({ link_id: linkId })
    .update({ created_at: new Date(0), updated_at: new Date(0) })
  await passClockSteps()
  await store({ access_token: 'a2', refresh_token: null })
  const { [linkId]: credential } = await read()
  expect(credential).toMatchObject({ access_token: 'a2', refresh_token: 'r1', created_at: '1970-01-01T00:00:00Z' })
  expect(credential?.updated_at).not.toBe('1970-01-01T00:00:00Z')
  const row = await knex('credentials').where({ link_id: linkId }).first()
  expect(row.access_token.toString('latin1')).not.toContain('a2')
})
