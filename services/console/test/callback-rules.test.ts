import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ServiceStack } from '#testing'
import { type AdminResponse, getText } from './harness.ts'
import { type Managed, startManaged } from './managed.ts'

let managed: Managed<ServiceStack>
beforeAll(async () => {
  managed = await startManaged()
  await managed.operator('POST', '/accounts', { account: 'shop', name: 'The shop' })
})
afterAll(() => managed[Symbol.asyncDispose]())

let sites = 0
/** A site with the settings of the test, and actions on it. */
async function newSite(settings: object) {
  const siteId = `site-${++sites}`
  const path = `/accounts/shop/sites/${siteId}`
  const created = await managed.operator('POST', '/accounts/shop/sites', { site_id: siteId, name: siteId, ...settings })
  expect(created.status).toBe(200)
  const { operator } = managed
  return {
    path,
    addClient: (redirectUris: string[], kind = 'confidential', name = 'Shop') =>
      operator('POST', `${path}/clients`, { kind, name, redirect_uris: redirectUris }),
    read: () => operator('GET', path),
    change: (changes: object, revision = 1) => operator('PATCH', path, changes, revision),
  }
}

function fieldsOf({ body }: AdminResponse): [string, string][] {
  const fields: { field: string; reason: string }[] = Reflect.get(Object(Reflect.get(Object(body), 'error')), 'fields')
  return fields.map(({ field, reason }) => [field, reason])
}

test('production allows only https redirect URIs, also for public clients; development also allows localhost and custom schemes', async () => {
  const loopback = ['http://localhost:3000/cb', 'http://127.0.0.1/cb', 'http://[::1]:1/cb']
  const production = await newSite({ kind: 'production' })
  const rejected = await production.addClient(['https://a.example/cb', ...loopback])
  expect(rejected).toMatchObject({
    status: 400,
    body: { error: { message: 'redirect_uris.1 must use https because the site is a production site.' } },
  })
  expect(fieldsOf(rejected)).toEqual([1, 2, 3].map((n) => [`redirect_uris.${n}`, 'https_in_production']))
  expect(fieldsOf(await production.addClient(['com.example.app:/cb'], 'public'))).toEqual([
    ['redirect_uris.0', 'https_in_production'],
  ])
  const created = await production.addClient(['https://a.example/cb'])
  const client = `${production.path}/clients/${getText(created, 'client', 'client_id')}`
  const change = (redirectUris: string[]) => managed.operator('PATCH', client, { redirect_uris: redirectUris }, 1)
  expect(fieldsOf(await change(loopback))).toHaveLength(3)
  expect(await change(['https://b.example/cb'])).toMatchObject({ status: 200 })

  const development = await newSite({ kind: 'development', domains: ['a.example'] })
  expect(await development.addClient(loopback)).toMatchObject({ status: 200 })
  expect(await development.addClient(['com.example.app:/cb'], 'public')).toMatchObject({ status: 200 })
})

test('with domains, the host of a redirect URI is one of them or a subdomain', async () => {
  const site = await newSite({ kind: 'production', domains: ['Shop.example', 'www.other.example.'] })
  const allowed = ['https://shop.example/cb', 'https://a.b.shop.example:8443/cb', 'https://www.other.example/cb']
  expect(await site.addClient(allowed)).toMatchObject({ status: 200 })
  const rejected = await site.addClient([
    'https://notshop.example/cb',
    'https://other.example/cb',
    'https://192.0.2.1/',
  ])
  expect(rejected).toMatchObject({
    body: {
      error: {
        message:
          'redirect_uris.0 must have a host that is a domain of the site or a subdomain of one: shop.example, www.other.example.',
      },
    },
  })
  expect(fieldsOf(rejected)).toEqual([0, 1, 2].map((n) => [`redirect_uris.${n}`, 'outside_domains']))
})

test('a change of kind or domains is rejected with every redirect URI that conflicts, and changes nothing', async () => {
  const site = await newSite({ kind: 'development' })
  await site.addClient(['https://a.example/cb', 'http://localhost:1/cb'], 'confidential', 'Web')
  const app = await site.addClient(['com.example.app:/cb'], 'public', 'App')
  const before = await site.read()
  const toProduction = await site.change({ kind: 'production', name: 'Renamed' })
  expect(toProduction).toMatchObject({
    status: 400,
    body: {
      error: {
        name: 'invalid_request',
        fields: [
          {
            field: 'kind',
            message:
              'cannot be production: the client Web has the callback address http://localhost:1/cb, which is not https',
            reason: 'callback_not_https',
            parameters: { client: 'Web', address: 'http://localhost:1/cb' },
          },
          { field: 'kind', parameters: { client: 'App', address: 'com.example.app:/cb' } },
        ],
      },
    },
  })
  expect(await site.change({ domains: ['b.example'] })).toMatchObject({
    status: 400,
    body: {
      error: {
        fields: [
          {
            field: 'domains',
            reason: 'callback_outside_domains',
            parameters: { client: 'Web', address: 'https://a.example/cb' },
          },
        ],
      },
    },
  })
  expect((await site.read()).body).toEqual(before.body)
  expect(await managed.findLastEntry('shop', 'outcome=rejected')).toMatchObject({ action: 'changeSite' })

  await managed.operator('DELETE', `${site.path}/clients/${getText(app, 'client', 'client_id')}`)
  const clients = await managed.operator('GET', `${site.path}/clients`)
  const web = `${site.path}/clients/${getText(clients, 'clients', 0, 'client_id')}`
  await managed.operator('PATCH', web, { redirect_uris: ['https://a.example/cb'] }, 1)
  expect(await site.change({ kind: 'production', domains: ['a.example'] })).toMatchObject({ status: 200 })
  expect(await site.change({ name: 'Renamed' }, 2)).toMatchObject({ status: 200 })
})

test('a change to production and a concurrent http redirect URI cannot both succeed', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      const site = await newSite({ kind: 'development' })
      const [changed, added] = await Promise.all(
        n % 2 === 0
          ? [site.change({ kind: 'production' }), site.addClient(['http://localhost:1/cb'])]
          : [site.addClient(['http://localhost:1/cb']), site.change({ kind: 'production' })].toReversed(),
      )
      return [changed?.status, added?.status]
    }),
  )
  for (const outcome of outcomes)
    expect([
      [200, 400],
      [400, 200],
      [400, 400],
    ]).toContainEqual(outcome)
})

test('an interrupted change takes effect until the site is changed again', async () => {
  const { identity, provider_auth, call } = managed.serviceStack
  const site = await newSite({ kind: 'development' })
  const siteId = getText(await site.read(), 'site_id') ?? ''
  const { site: number, revision } = await identity.readSite({ account: 'shop', site_id: siteId }, call())
  const rules = { kind: 'production' as const, domains: [] }
  const prepared = { site: number, expected_revision: revision, ...rules }
  expect(await provider_auth.prepareCallbackRules(prepared, call())).toEqual({ rejected: [] })
  // Simulates a crash of identity before the commit.
  expect(fieldsOf(await site.addClient(['http://localhost:1/cb']))).toEqual([
    ['redirect_uris.0', 'https_in_production'],
  ])
  expect(await site.addClient(['https://a.example/cb'])).toMatchObject({ status: 200 })
  expect(await site.change({ name: 'Renamed' })).toMatchObject({ status: 200 })
  expect(await site.addClient(['http://localhost:1/cb'])).toMatchObject({ status: 200 })
  // A repeated request finds the redirect URI; rejected requests store nothing.
  const late = await provider_auth.prepareCallbackRules(prepared, call())
  expect(late.rejected).toMatchObject([{ redirect_uri: 'http://localhost:1/cb', reason: 'not_https' }])
})

test('without provider-auth, the kind cannot be changed, but the name can', async () => {
  const site = await newSite({ kind: 'development' })
  await using _ = await managed.serviceStack.stopService('provider-auth')
  expect(await site.change({ kind: 'production' })).toMatchObject({ status: 503 })
  expect(await site.change({ kind: 'development', name: 'Renamed' })).toMatchObject({ status: 200 })
})
