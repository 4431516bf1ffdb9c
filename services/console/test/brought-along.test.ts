import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openForTest } from '#testing'
import { type Managed, startManaged } from './managed.ts'

let managed: Managed
beforeAll(async () => {
  managed = await startManaged()
  await managed.operator('POST', '/accounts', { account: 'shop', name: 'The shop' })
  for (const site of ['main', 'other', 'clients'])
    await managed.operator('POST', '/accounts/shop/sites', { site_id: site, name: site, kind: 'production' })
})
afterAll(() => managed[Symbol.asyncDispose]())

const OAuthError = z.object({ error: z.string() })
const keysOf = (site: string) => `/accounts/shop/sites/${site}/keys`
const clients = '/accounts/shop/sites/clients/clients'
const call = async (key: string) => (await fetch(`${managed.serviceStack.web_api}/appinfo?key=${key}`)).status
const conflict = (reason: string) => ({ status: 409, body: { error: { name: 'conflict', reason } } })

describe('an existing API key', () => {
  test('calls the Web API, is marked, is stored as a hash only, and is no site’s twice', async () => {
    const owner = await managed.createClient('shop', 'owner')
    const key = randomBytes(20).toString('hex')
    const entered = await owner('POST', `${keysOf('main')}/existing`, { name: 'before', api_key: key })
    expect(entered).toMatchObject({ status: 200, body: { api_key_id: expect.any(String) } })
    expect(JSON.stringify(entered.body)).not.toContain(key)
    await expect.poll(() => call(key)).toBe(200)
    expect(await owner('GET', keysOf('main'))).toMatchObject({
      body: { keys: [{ name: 'before', last_four: key.slice(-4), brought_along: true }] },
    })
    const again = { name: 'again', api_key: key }
    expect(await owner('POST', `${keysOf('other')}/existing`, again)).toMatchObject(conflict('api_key_known'))
    await owner('POST', keysOf('main'), { name: 'new' })
    expect(await owner('GET', keysOf('main'))).toMatchObject({ body: { keys: [{ brought_along: false }, {}] } })
    const third = { name: 'third', api_key: randomBytes(16).toString('hex') }
    expect(await owner('POST', `${keysOf('main')}/existing`, third)).toMatchObject(conflict('two_keys_active'))

    const { body: trail } = await managed.operator('GET', '/accounts/shop/audit')
    expect(trail).toMatchObject({
      entries: expect.arrayContaining([expect.objectContaining({ action: 'enterApiKey' })]),
    })
    for (const secret of [key, third.api_key]) expect(JSON.stringify(trail)).not.toContain(secret)
    await using identity = openForTest(managed.serviceStack.database_urls.identity)
    expect(JSON.stringify(await identity.knex('api_keys').select('*'))).not.toContain(key)
  })

  test.each([
    ['31 hexadecimal digits', randomBytes(16).toString('hex').slice(1)],
    ['21 letters and digits', 'G7hJ2kLm9PqR4sTuVwXyZ'],
    ['few different characters', 'abc'.repeat(20)],
    ['other characters', `${randomBytes(16).toString('hex')}-`],
  ])('with %s is rejected', async (_, key) => {
    const owner = await managed.createClient('shop', 'owner')
    const response = await owner('POST', `${keysOf('other')}/existing`, { name: 'weak', api_key: key })
    expect(response).toMatchObject({ status: 400, body: { error: { name: 'invalid_request' } } })
    expect(JSON.stringify(response.body)).not.toContain(key)
  })

  test('requires the role owner', async () => {
    const editor = await managed.createClient('shop', 'editor')
    const body = { name: 'mine', api_key: randomBytes(16).toString('hex') }
    expect(await editor('POST', `${keysOf('other')}/existing`, body)).toMatchObject({ status: 403 })
  })
})

describe('an existing client', () => {
  const settings = { name: 'Shop', redirect_uris: ['https://shop.example.com/callback'] }

  test('keeps its ID and secret, which authenticate it at the token endpoint', async () => {
    const owner = await managed.createClient('shop', 'owner')
    const [clientId, secret] = [`shop-${randomBytes(4).toString('hex')}`, randomBytes(32).toString('hex')]
    const body = { ...settings, kind: 'confidential', client_id: clientId, client_secret: secret }
    const entered = await owner('POST', `${clients}/existing`, body)
    expect(entered).toMatchObject({ status: 200, body: { client: { client_id: clientId } } })
    expect(JSON.stringify(entered.body)).not.toContain(secret)
    const errorWith = async (used: string) => {
      const form = { grant_type: 'authorization_code', code: 'x', redirect_uri: settings.redirect_uris[0] ?? '' }
      const headers = { authorization: `Basic ${btoa(`${clientId}:${used}`)}` }
      const request = { method: 'POST', body: new URLSearchParams(form), headers }
      return OAuthError.parse(await (await fetch(`${managed.serviceStack.auth}/oauth2/token`, request)).json()).error
    }
    expect([await errorWith(secret), await errorWith('wrong')]).toEqual(['invalid_grant', 'invalid_client'])
    expect(await owner('POST', `${clients}/existing`, body)).toMatchObject(conflict('client_id_known'))
    const { body: trail } = await managed.operator('GET', '/accounts/shop/audit')
    expect(JSON.stringify(trail)).not.toContain(secret)
  })

  test('of the kind public has no secret, and a confidential one needs it; both require the role owner', async () => {
    const owner = await managed.createClient('shop', 'owner')
    const of = (kind: string, more: object = {}) => ({ ...settings, kind, client_id: 'spa-of-the-shop', ...more })
    const secret = { client_secret: randomBytes(32).toString('hex') }
    for (const body of [of('public', secret), of('confidential')])
      expect(await owner('POST', `${clients}/existing`, body)).toMatchObject({ status: 400 })
    const editor = await managed.createClient('shop', 'editor')
    expect(await editor('POST', `${clients}/existing`, of('public'))).toMatchObject({ status: 403 })
    expect(await owner('POST', `${clients}/existing`, of('public'))).toMatchObject({ status: 200 })
  })
})
