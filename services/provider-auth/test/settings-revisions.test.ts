import { expect, test } from 'vitest'
import { type BuiltInLoginProvider, builtInLoginProviders } from '#contracts'
import { deviceKey } from '#testing'
import { createLoginsFixture, redirectUri, type SharedLogins } from './logins.ts'

const logins = createLoginsFixture()

const call = () => logins.serviceStack.call()
let sites = 500
const newSite = async () => {
  const names = { account: 'test', site_id: `shop-${++sites}` }
  const { site } = await logins.serviceStack.identity.registerSite({ ...names, name: names.site_id }, call())
  return { site, ...names }
}
type Site = Awaited<ReturnType<typeof newSite>>
type Entered = Omit<
  Parameters<SharedLogins['serviceStack']['provider_auth']['changeProviderSettings']>[0],
  keyof Site | 'provider'
>

const read = ({ site }: Site, provider: BuiltInLoginProvider = 'messaging') =>
  logins.serviceStack.provider_auth.readProviderSettings({ site, provider }, call())
const change = (site: Site, entered: Entered, provider: BuiltInLoginProvider = 'messaging') =>
  logins.serviceStack.provider_auth.changeProviderSettings({ ...site, provider, ...entered }, call())
const first = { client_id: 'channel', client_secret: 'very-s3cret', expected_revision: 0 }
const registerClient = ({ site }: Site) => logins.registerClient({ site, redirect_uris: [redirectUri] })

test('every login provider is listed before it is configured, with what is missing and the callback URL', async () => {
  const site = await newSite()
  const { providers } = await logins.serviceStack.provider_auth.listProviderSettings({ site: site.site }, call())
  expect(providers.map(({ provider }) => provider)).toEqual([...builtInLoginProviders])
  for (const settings of providers)
    expect(settings).toMatchObject({
      login_provider_identifier: null,
      has_client_secret: false,
      authorize_uri: null,
      revision: 0,
      missing: expect.arrayContaining([
        'Enter the client ID and the client secret.',
        'Create a client with a redirect URI.',
      ]),
    })
  const device = await read(site, 'device')
  expect(device.missing).toContain('The option team_id is required.')
  expect(device.webhook_uris).toEqual({ events: expect.stringMatching(/^http.*\/oauth2\/webhooks\/device\//) })
})

test('the callback URL never changes; complete settings have their authorization URL', async () => {
  const site = await newSite()
  const before = await read(site)
  const saved = await change(site, first)
  expect(saved).toMatchObject({
    provider_callback: before.provider_callback,
    has_client_secret: true,
    missing: ['Create a client with a redirect URI.'],
    authorize_uri: null,
    revision: 1,
  })
  await registerClient(site)
  const complete = await read(site)
  expect(complete).toMatchObject({
    missing: [],
    authorize_uri: expect.stringContaining('/oauth2/authorize/messaging/'),
  })
  expect(complete.authorize_uri).toBe(before.provider_callback.replace('/callback/', '/authorize/'))
})

test('secrets are never returned; absent ones stay, an empty one is removed', async () => {
  const site = await newSite()
  const options = { webhook_secret: 'hook-s3cret' }
  const received = [await change(site, { ...first, options })]
  received.push(await change(site, { client_id: 'other', expected_revision: 1 }))
  const stored = { webhook_secret: true, disable_auto_login: 'never' }
  expect(received.map(({ options }) => options)).toEqual([stored, stored])
  expect(JSON.stringify(received)).not.toContain('s3cret')
  const { encryptor } = logins
  const row = await logins.knex('provider_settings').where({ site: site.site }).first()
  const open = (column: string) => encryptor.decrypt(row[column], ['provider_settings', site.site, 'messaging', column])
  expect(await open('client_secret')).toBe('very-s3cret')
  expect(JSON.parse(await open('options'))).toMatchObject(options)
  const emptied = await change(site, { client_id: 'other', options: { webhook_secret: '' }, expected_revision: 2 })
  expect(emptied).toMatchObject({ options: {}, has_client_secret: true, revision: 3 })
})

test('of two concurrent changes of one revision one succeeds, also of the first ones; nothing of the other is stored', async () => {
  const site = await newSite()
  const rivals = (expectedRevision: number) =>
    Promise.allSettled(
      ['a', 'b', 'c'].map((clientId) =>
        change(site, { ...first, client_id: clientId, expected_revision: expectedRevision }),
      ),
    )
  for (const revision of [0, 1]) {
    const outcomes = await rivals(revision)
    const won = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    expect(won).toHaveLength(1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ fault: 'changed_meanwhile' })
    expect(await read(site)).toEqual(won[0])
  }
})

test.each([
  [
    'no secret in new settings',
    'messaging',
    { client_secret: undefined },
    'client_secret',
    'is required for new settings',
  ],
  [
    'an option it does not have',
    'portal',
    { options: { team_id: 'X' } },
    'options.team_id',
    'is not an option of this provider',
  ],
  [
    'no team',
    'device',
    { client_secret: deviceKey.private_key, options: { key_id: 'KEY1234567' } },
    'options.team_id',
    'is required',
  ],
  [
    'a short key id',
    'device',
    { client_secret: deviceKey.private_key, options: { team_id: 'TEAM123456', key_id: 'x' } },
    'options.key_id',
    'must be 10 capital letters and digits',
  ],
  [
    'a secret that is no key',
    'device',
    { options: deviceKey.options },
    'client_secret',
    'must be the private key as downloaded from the provider',
  ],
  [
    'an official account elsewhere',
    'search',
    { official_account: true },
    'official_account',
    'is supported for the messaging provider only',
  ],
] as const)(
  'settings with %s are rejected with field and reason, and nothing is saved',
  async (_, provider, entered, field, reason) => {
    const site = await newSite()
    const { client_secret, ...rest } = { ...first, ...entered }
    const sent = client_secret === undefined ? rest : { ...rest, client_secret }
    await expect(change(site, sent, provider)).rejects.toMatchObject({
      fault: 'invalid_parameter',
      fields: expect.arrayContaining([{ field, reason }]),
    })
    expect(await read(site, provider)).toMatchObject({ revision: 0 })
  },
)

test('a change applies to the next login on every replica; disabled settings allow no login', async () => {
  const site = await newSite()
  await change(site, first)
  const client = await registerClient(site)
  const { authorize_uri } = await read(site)
  const replica = await logins.startReplica()
  try {
    const query = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid',
      state: 's',
    })
    const other = new URL(authorize_uri ?? '')
    other.port = String(replica.exposed.port)
    const clientIdsSent = () =>
      Promise.all(
        [authorize_uri, other.href].map(async (address) => {
          const response = await fetch(`${address}?${query}`, { redirect: 'manual' })
          const location = response.headers.get('location')
          return location === null ? response.status : new URL(location).searchParams.get('client_id')
        }),
      )
    expect(await clientIdsSent()).toEqual(['channel', 'channel'])
    await change(site, { client_id: 'renewed', expected_revision: 1 })
    // Replicas receive a notice of the change.
    await expect.poll(clientIdsSent).toEqual(['renewed', 'renewed'])
    const off = await change(site, { client_id: 'renewed', enabled: false, expected_revision: 2 })
    expect(off).toMatchObject({ authorize_uri: null, missing: ['Login with this provider is disabled. Enable it.'] })
    await expect.poll(clientIdsSent).toEqual([400, 400])
  } finally {
    await replica.stop()
  }
})

test('the expiry of a secret at the provider is stored and returned', async () => {
  const site = await newSite()
  const clientSecretExpiresAt = '2027-01-31T00:00:00Z'
  await change(site, { ...first, client_secret_expires_at: clientSecretExpiresAt })
  expect(await read(site)).toMatchObject({ client_secret_expires_at: clientSecretExpiresAt })
})
