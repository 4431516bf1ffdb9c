import { describe, expect, test } from 'vitest'
import type { LoginProvider } from '#contracts'
import { actual, client, createdAt, key, messaging, planFor, settings, usual } from '../test/plan-fixture.ts'
import type { ActualSite } from './actual.ts'
import { Desired, type DesiredSite } from './desired.ts'
import { createPlan } from './plan.ts'

const secret = { from_env: 'SECRET' }

const same: [string, DesiredSite | object][] = [
  ['the file has no fields', {}],
  ['all fields have the actual values', { name: 'Shop', kind: 'production', requests_per_window: 10_000 }],
  ['lists are in another order', { domains: ['b.example', 'a.example'] }],
  ['a host name is in capitals', { domains: ['A.example', 'b.example'] }],
  ['a provider of which all is stored is spelled out', { profile_not_stored: { messaging: ['gender'], search: [] } }],
  [
    'a client is unchanged',
    { clients: { Web: { kind: 'confidential', redirect_uris: client.redirect_uris.toReversed() } } },
  ],
  ['a key with this name is active', { api_keys: ['backend'] }],
  ['a secret is stored', { providers: { messaging: { client_id: '123', client_secret: secret } } }],
  [
    'a secret option is stored',
    { providers: { messaging: { client_id: '123', options: { webhook_secret: secret } } } },
  ],
]

test.each(same)('there are no changes if %s', (_what, site) => {
  expect(planFor(site).steps).toEqual([])
})

test('a change of a site has only the changed fields and the revision that was read', () => {
  const [step, ...others] = planFor({ name: 'Shop', requests_per_window: 20_000, domains: ['a.example'] }).steps
  expect(others).toEqual([])
  expect(step).toMatchObject({
    procedure: 'changeSite',
    input: { account: 'demo', site_id: 'shop', requests_per_window: 20_000, domains: ['a.example'] },
    revision: 7,
    changes: [
      { field: 'domains', before: ['a.example', 'b.example'], after: ['a.example'] },
      { field: 'requests_per_window', before: 10_000, after: 20_000 },
    ],
  })
  expect(step?.input).not.toHaveProperty('name')
})

test.each<[string, Partial<ActualSite['settings']>, DesiredSite, object[]]>([
  [
    'one that moves to another domain',
    { domains: ['a.example'] },
    { name: 'New', domains: ['c.example'] },
    [{ name: 'New', domains: ['a.example', 'c.example'] }, { domains: ['c.example'] }],
  ],
  [
    'production with more domains',
    { kind: 'development', domains: ['a.example'] },
    { kind: 'production', domains: ['a.example', 'c.example'] },
    [{ domains: ['a.example', 'c.example'] }, { kind: 'production' }],
  ],
  [
    'development with fewer domains',
    {},
    { kind: 'development', domains: ['a.example'] },
    [{ kind: 'development' }, { domains: ['a.example'] }],
  ],
  [
    'production without domains',
    { kind: 'development' },
    { kind: 'production', domains: [] },
    [{ domains: [] }, { kind: 'production' }],
  ],
])('clients change while the site allows their old and new redirect URIs: %s', (_what, there, site, inputs) => {
  const Web = { kind: client.kind, redirect_uris: ['https://c.example/cb'] }
  const { steps } = planFor({ ...site, clients: { Web } }, actual({ settings: { ...settings, ...there } }))
  const [before, after] = inputs
  expect(steps).toMatchObject([
    { procedure: 'changeSite', input: before, revision: 7 },
    { procedure: 'changeClient' },
    { procedure: 'changeSite', input: after },
  ])
  expect(steps[2]?.revision).toBeUndefined()
})

test('new resources are created after their parents', () => {
  const site = {
    name: 'Shop',
    kind: 'development',
    providers: { messaging: { client_id: '123', client_secret: secret } },
    clients: { Web: { kind: 'public', redirect_uris: ['https://a.example/cb'] } },
    api_keys: ['backend'],
  }
  const { steps } = planFor(site, new Map())
  expect(steps.map(({ procedure }) => procedure)).toEqual([
    'createAccount',
    'createSite',
    'saveProviderSettings',
    'createClient',
    'issueApiKey',
  ])
  expect(steps.map(({ returns_secret: tellsSecret }) => tellsSecret ?? false)).toEqual([
    false,
    false,
    false,
    false,
    true,
  ])
})

test('saving provider settings preserves fields that are not in the files', () => {
  const [step] = planFor({ providers: { messaging: { client_id: '123', enabled: false } } }).steps
  expect(step).toMatchObject({ procedure: 'saveProviderSettings', revision: 5, secrets: [] })
  expect(step?.input).toEqual({
    account: 'demo',
    site_id: 'shop',
    provider: 'messaging',
    client_id: '123',
    options: { disable_auto_login: 'never' },
    official_account: true,
    enabled: false,
    client_secret_expires_at: '2027-01-01T00:00:00Z',
  })
})

const notStored = { ...messaging, has_client_secret: false }
const notSetUp = { ...notStored, login_provider_identifier: null, client_id: '', options: {}, revision: 0 }

test.each([
  ['none is stored', notStored, '123', {}],
  ['the provider is not set up', notSetUp, '123', {}],
  ['the client_id changes', messaging, '456', {}],
  ['--update-secrets is set', messaging, '123', { update_secrets: true }],
])('a secret is sent if %s', (_why, there, clientId, options) => {
  const site = { providers: { messaging: { client_id: clientId, client_secret: secret } } }
  const { steps, notes } = planFor(site, actual({ providers: [there] }), options)
  expect(steps).toMatchObject([
    { procedure: 'saveProviderSettings', secrets: [{ path: ['client_secret'], reference: secret }] },
  ])
  expect(notes).toEqual([])
})

test('a note says that stored secrets are not compared', () => {
  const { notes } = planFor({ providers: { messaging: { client_id: '123', client_secret: secret } } })
  expect(notes).toEqual([
    '1 secret is already stored and was not compared, because stored secrets cannot be read. --update-secrets sends the values from the files.',
  ])
})

test('a default option is not a change', () => {
  const microblog = { ...messaging, provider: 'microblog' as LoginProvider, options: { protocol: 'oauth1' } }
  const site = { providers: { microblog: { client_id: '123', options: {} } } }
  expect(planFor(site, actual({ providers: [microblog] })).steps).toEqual([])
})

test('resources that are not in the files are removed only with prune, last, and only in sections of the files', () => {
  const site = { name: 'Store', clients: {}, api_keys: ['other'] }
  expect(planFor(site).steps.map(({ procedure }) => procedure)).toEqual(['changeSite', 'issueApiKey'])
  expect(planFor(site).notes).toEqual([
    'client demo/shop/Web is not in the files; --prune removes it.',
    'API key demo/shop/backend is not in the files; --prune revokes it.',
  ])
  const pruning = planFor(site, actual(), { prune: true })
  expect(pruning.steps.map(({ procedure }) => procedure)).toEqual([
    'changeSite',
    'issueApiKey',
    'removeClient',
    'revokeApiKey',
  ])
  expect(pruning.notes).toEqual([])
  expect(planFor({ name: 'Shop' }, actual(), { prune: true }).steps).toEqual([])
})

test('a revoked key is ignored', () => {
  const there = actual({ keys: [{ ...key, revoked_at: createdAt }] })
  expect(planFor({ api_keys: ['backend'] }, there).steps).toMatchObject([{ procedure: 'issueApiKey' }])
})

test.each([
  ['a new site without its kind', { name: 'Shop' }, new Map(), 'accounts.demo.sites.shop: the site does not exist'],
  [
    'another kind of client',
    { clients: { Web: { kind: 'public', redirect_uris: client.redirect_uris } } },
    actual(),
    'accounts.demo.sites.shop.clients.Web.kind: the client is confidential, and its kind cannot be changed',
  ],
  [
    'a client with a duplicate name',
    { clients: { Web: { kind: 'confidential', redirect_uris: client.redirect_uris } } },
    actual({ clients: [client, { ...client, client_id: 'c2' }] }),
    'accounts.demo.sites.shop.clients.Web: several clients have this name',
  ],
])('%s is an error with its path', (_what, site, there, message) => {
  expect(() => planFor(site, there)).toThrow(message)
})

test('a new account requires a name', () => {
  const desired = Desired.parse({ accounts: { demo: {} } })
  expect(() => createPlan(desired, new Map(), usual)).toThrow(
    'accounts.demo: the account does not exist, or the token has no access to it',
  )
})

describe('webhooks', () => {
  const webhook: ActualSite['webhooks'][number] = {
    endpoint_id: '00000000-0000-4000-8000-000000000002',
    name: 'CRM',
    url: 'https://crm.example/events',
    types: ['user.deleted', 'user.created'],
    signature: 'v1',
    ordered: false,
    enabled: true,
    paused_because: null,
    failing_since: null,
    backlog: 0,
    waiting: 0,
    public_key: null,
    secrets: [],
    created_at: createdAt,
    revision: 4,
  }
  const planFor = (webhooks: object, options = usual) =>
    createPlan(
      Desired.parse({ accounts: { demo: { sites: { shop: { webhooks } } } } }),
      actual({ webhooks: [webhook] }),
      options,
    )

  test('an equal webhook needs no step, also with its types in another order', () => {
    const { url } = webhook
    expect(planFor({ CRM: { url, types: ['user.created', 'user.deleted'], signature: 'v1' } }).steps).toEqual([])
  })

  test('a new one is created, and its secret is returned', () => {
    const [step] = planFor({ CRM: { url: webhook.url }, ERP: { url: 'https://erp.example/' } }).steps
    expect(step).toMatchObject({ procedure: 'createWebhook', subject: 'webhook demo/shop/ERP', returns_secret: true })
  })

  test('a changed one is changed with its revision; another kind of signature is impossible', () => {
    const [step] = planFor({ CRM: { url: 'https://crm.example/new' } }).steps
    expect(step).toMatchObject({ procedure: 'changeWebhook', revision: 4, input: { url: 'https://crm.example/new' } })
    expect(() => planFor({ CRM: { url: webhook.url, signature: 'v1a' } })).toThrow('cannot be changed')
  })

  test('one that is not in the files is removed only with prune', () => {
    expect(planFor({}).steps).toEqual([])
    expect(planFor({}, { ...usual, prune: true }).steps).toMatchObject([{ procedure: 'removeWebhook', kind: 'remove' }])
  })
})
