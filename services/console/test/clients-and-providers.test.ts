import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { getText } from './harness.ts'
import { type Managed, newAccount, openManaged, type SendRequest } from './managed.ts'

let managed: Managed
let account: string
let path: string
beforeAll(async () => {
  managed = await openManaged()
})
afterAll(() => managed[Symbol.asyncDispose]())
beforeEach(async () => {
  account = newAccount()
  path = `/accounts/${account}/sites/main`
  await managed.operator('POST', '/accounts', { account, name: 'The shop' })
  for (const siteId of ['main', 'second'])
    await managed.operator('POST', `/accounts/${account}/sites`, { site_id: siteId, name: siteId, kind: 'development' })
})

const callback = 'https://shop.example.com/callback'

test('an invalid redirect URI is rejected with field and reason, and nothing is created', async () => {
  const editor = await managed.createClient(account, 'editor')
  const rejected = await editor('POST', `${path}/clients`, {
    kind: 'confidential',
    name: 'Shop',
    redirect_uris: [callback, 'http://shop.example.com/callback', 'https://shop.example.com/*'],
  })
  expect(rejected).toMatchObject({
    status: 400,
    body: {
      error: {
        name: 'invalid_request',
        message: 'redirect_uris.1 must use https: http is allowed for localhost only.',
        fields: [
          { field: 'redirect_uris.1', message: 'must use https: http is allowed for localhost only' },
          { field: 'redirect_uris.2', message: 'must not contain a wildcard' },
        ],
      },
    },
  })
  expect((await editor('GET', `${path}/clients`)).body).toEqual({ clients: [] })
})

test('a client is created with a secret that is returned once, changed with its ETag, rotated and removed', async () => {
  const owner = await managed.createClient(account, 'owner')
  const client = { kind: 'confidential', name: 'Shop', redirect_uris: [callback] }
  const created = await owner('POST', `${path}/clients`, client)
  const clientId = getText(created, 'client', 'client_id') ?? ''
  const clientSecret = getText(created, 'client_secret') ?? ''
  expect(clientSecret).toMatch(/^slcs_/)
  const own = `${path}/clients/${clientId}`
  const read = await owner('GET', own)
  expect(read.headers.get('etag')).toBe('"1"')
  expect(read.body).toMatchObject({ ...client, response_types: ['code', 'id_token'], pkce: 'optional' })
  expect(read.body).toMatchObject({ post_logout_redirect_uris: [] })
  expect(await owner('PATCH', own, { post_logout_redirect_uris: ['https://shop.example.com/#x'] }, 1)).toMatchObject({
    status: 400,
    body: { error: { fields: [{ field: 'post_logout_redirect_uris.0', message: 'must not contain a fragment' }] } },
  })
  const change = { response_types: ['code'], post_logout_redirect_uris: ['https://shop.example.com/'] }
  expect(await owner('PATCH', own, change, 1)).toMatchObject({
    body: { revision: 2, redirect_uris: [callback], ...change },
  })
  expect(await owner('PATCH', own, { name: 'Late' }, 1)).toMatchObject({ status: 412 })

  const only = getText(read, 'secrets', 0, 'secret_id') ?? ''
  expect(await owner('DELETE', `${own}/secrets/${only}`)).toMatchObject({
    status: 409,
    body: { error: { message: 'This is the only active secret. Issue another one first.' } },
  })
  const issued = await owner('POST', `${own}/secrets`)
  expect(issued.status).toBe(200)
  expect(await owner('POST', `${own}/secrets`)).toMatchObject({
    status: 409,
    body: { error: { message: 'The client has two active secrets. Revoke one first.' } },
  })
  expect(await owner('DELETE', `${own}/secrets/${only}`)).toMatchObject({ status: 200 })
  expect(await owner('DELETE', own)).toMatchObject({ status: 200 })
  expect(await owner('GET', own)).toMatchObject({ status: 404 })
  const { body: trail } = await managed.operator('GET', `/accounts/${account}/audit?outcome=succeeded`)
  for (const secret of [clientSecret, getText(issued, 'client_secret') ?? ''])
    expect(JSON.stringify(trail)).not.toContain(secret)
  expect(trail).toMatchObject({
    entries: [
      { action: 'removeClient', before: { client_id: clientId, name: 'Shop' }, after: null },
      {},
      {},
      {},
      {},
      {},
      {},
      {},
    ],
  })
})

const app = { kind: 'public', name: 'App', redirect_uris: ['com.example.app:/callback'] }
const addApp = (client: SendRequest) => client('POST', `${path}/clients`, app)

test('a public client has no secret, and a client belongs to one site', async () => {
  const owner = await managed.createClient(account, 'owner')
  const created = await addApp(owner)
  expect(created).toMatchObject({
    status: 200,
    body: { client: { pkce: 'required', secrets: [] }, client_secret: null },
  })
  const clientId = getText(created, 'client', 'client_id') ?? ''
  expect(await owner('POST', `${path}/clients/${clientId}/secrets`)).toMatchObject({
    status: 400,
    body: { error: { message: 'Public clients have no secret.' } },
  })
  expect(await owner('GET', `/accounts/${account}/sites/second/clients/${clientId}`)).toMatchObject({ status: 404 })
  expect(await owner('DELETE', `/accounts/${account}/sites/second/clients/${clientId}`)).toMatchObject({ status: 404 })
})

const enteredSettings = {
  client_id: 'channel',
  client_secret: 'very-s3cret',
  options: { webhook_secret: 'hook-s3cret' },
}
/** Saves the first settings of the messaging provider. */
const setUpMessaging = (client: SendRequest) => client('PUT', `${path}/providers/messaging`, enteredSettings, 0)

test('a provider is set up without returning or auditing its secrets; a change with an old ETag is rejected', async () => {
  const editor = await managed.createClient(account, 'editor')
  const own = `${path}/providers/messaging`
  await addApp(editor)
  const before = await editor('GET', own)
  expect(before.headers.get('etag')).toBe('"0"')
  const saved = await setUpMessaging(editor)
  expect(saved).toMatchObject({
    status: 200,
    body: {
      client_id: 'channel',
      has_client_secret: true,
      options: { webhook_secret: true },
      provider_callback: getText(before, 'provider_callback'),
      missing: [],
      authorize_uri: expect.stringContaining('/oauth2/authorize/messaging/'),
      revision: 1,
    },
  })
  expect(await setUpMessaging(editor)).toMatchObject({ status: 412 })
  expect(await editor('PUT', own, { client_id: 'renewed' }, 1)).toMatchObject({ status: 200, body: { revision: 2 } })
  const texts = JSON.stringify([saved.body, (await managed.operator('GET', `/accounts/${account}/audit`)).body])
  expect(texts).not.toContain('s3cret')
  expect(await managed.findLastEntry(account)).toMatchObject({
    action: 'saveProviderSettings',
    before: { provider: 'messaging', client_id: 'channel' },
    after: { provider: 'messaging', client_id: 'renewed' },
  })
})

test('an invalid option is rejected with its field', async () => {
  const editor = await managed.createClient(account, 'editor')
  const entered = { client_id: 'c', client_secret: 's', options: { protocol: 'saml' } }
  expect(await editor('PUT', `${path}/providers/microblog`, entered, 0)).toMatchObject({
    status: 400,
    body: { error: { name: 'invalid_request', field: 'options.protocol' } },
  })
})

test('only the member who started a test login can read it; the audit trail has it without its state', async () => {
  const [editor, another, viewer] = [
    await managed.createClient(account, 'editor'),
    await managed.createClient(account, 'editor'),
    await managed.createClient(account, 'viewer'),
  ]
  const own = `${path}/providers/messaging/test-logins`
  await addApp(editor)
  await setUpMessaging(editor)
  expect(await viewer('POST', own)).toMatchObject({ status: 403 })
  const started = await editor('POST', own)
  expect(started).toMatchObject({ status: 200, body: { expires_at: expect.any(String) } })
  const state = getText(started, 'state') ?? ''
  expect(await editor('GET', `${own}/${state}`)).toMatchObject({ status: 200, body: { outcome: 'waiting' } })
  expect(await another('GET', `${own}/${state}`)).toMatchObject({ status: 404 })
  const entry = await managed.findLastEntry(account)
  expect(entry).toMatchObject({ action: 'startTestLogin', after: { provider: 'messaging' } })
  expect(JSON.stringify(entry)).not.toContain(state)
  expect(await editor('POST', `${path}/providers/portal/test-logins`)).toMatchObject({
    status: 409,
    body: { error: { message: 'The provider settings are incomplete or disabled. Complete and enable them first.' } },
  })
})

test('a provider that the site configured is tried with claims, and removed by an owner', async () => {
  const [owner, editor] = [await managed.createClient(account, 'owner'), await managed.createClient(account, 'editor')]
  const { providers } = (await editor('GET', '/provider-catalog')).body as {
    providers: { name: string; definition: object }[]
  }
  const { definition } = providers.find(({ name }) => name === 'github') ?? {}
  const own = `${path}/providers/code`
  const claims = { id: 1, login: 'octocat', emails: [{ email: 'octo@example.com', verified: true, primary: true }] }
  expect(await editor('POST', `${own}/profile-previews`, { definition, claims })).toMatchObject({
    status: 200,
    body: {
      provider_user_id: '1',
      profile: { user_name: 'octocat' },
      email: [{ email: 'octo@example.com', verified: true }],
    },
  })
  expect(await editor('PUT', own, { client_id: 'c', client_secret: 's', definition }, 0)).toMatchObject({ status: 200 })

  expect(await editor('DELETE', own, undefined, 1)).toMatchObject({ status: 403 })
  expect(await owner('DELETE', own, undefined, 2)).toMatchObject({ status: 412 })
  await setUpMessaging(editor)
  expect(await owner('DELETE', `${path}/providers/messaging`, undefined, 1)).toMatchObject({
    status: 409,
    body: {
      error: {
        message:
          'Users have logged in with this provider, or it is built in, so its settings cannot be removed. Disable it instead.',
      },
    },
  })
  expect(await owner('DELETE', own, undefined, 1)).toMatchObject({ status: 200 })
  expect(await managed.findLastEntry(account)).toMatchObject({ action: 'removeProviderSettings', after: null })
  expect((await editor('GET', own)).headers.get('etag')).toBe('"0"')
})
