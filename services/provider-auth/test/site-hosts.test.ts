import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DnsServer, openForTest, type SeededSite, type ServiceStack, seedSite } from '#testing'
import { applicationOf } from './application.ts'
import { buildAuthorizeUrl, logInWith, openTestBrowser } from './browser.ts'
import { issuerAt, moveTo, proveHost, registerCallback, startHostStack } from './host-fixture.ts'

const stack = new AsyncDisposableStack()
let serviceStack: ServiceStack
let dns: DnsServer
let shop: SeededSite
let bank: SeededSite
beforeAll(async () => {
  const environment = { LOGINS_PER_ADDRESS: '0' }
  ;({ serviceStack, dns } = await startHostStack(stack, { providerAuthEnvironment: environment }))
  shop = await seedSite(serviceStack)
  bank = await seedSite(serviceStack)
  await registerCallback(serviceStack, shop, at('login.shop.localhost'))
  await proveHost(serviceStack, dns, shop, 'login.shop.localhost')
  await proveHost(serviceStack, dns, bank, 'login.bank.localhost')
})
afterAll(() => stack.disposeAsync())

const namesOf = ({ site, account, site_id }: SeededSite) => ({ site, account, site_id })
const at = (host: string) => issuerAt(serviceStack, host)
const open = (address: string, init: RequestInit = {}) => fetch(address, { redirect: 'manual', ...init })

describe('a request on a site’s host', () => {
  test('has the host’s issuer in discovery, and its endpoints', async () => {
    const issuer = at('login.shop.localhost')
    const metadata = await (await open(`${issuer}/.well-known/openid-configuration`)).json()
    expect(metadata).toMatchObject({ issuer, token_endpoint: `${issuer}/oauth2/token` })
  })

  test('logs in with the callback, the cookies and the ID Token of the host', async () => {
    const issuer = at('login.shop.localhost')
    const site = moveTo(shop, issuer)
    const browser = openTestBrowser()
    const redirect = await browser.open(buildAuthorizeUrl(site, 'messaging', {}))
    const callback = new URL(redirect.headers.get('location') ?? '').searchParams.get('redirect_uri')
    expect(callback).toBe(site.providers.messaging.provider_callback)
    const returned = await logInWith(site, 'messaging', { user: 'Hanako' })
    expect(returned.searchParams.get('iss')).toBe(issuer)
    const application = applicationOf({ ...serviceStack, auth: issuer }, site)
    const { id_token, access_token } = await application.redeem(returned)
    expect((await application.verify(id_token)).iss).toBe(issuer)
    expect(await application.userinfo(access_token)).toHaveProperty('sub')
  })

  test('the installation’s own issuer continues with its own ID Tokens', async () => {
    const returned = await logInWith(shop, 'messaging', { user: 'Hanako' })
    const application = applicationOf(serviceStack, shop)
    const { id_token } = await application.redeem(returned)
    expect((await application.verify(id_token)).iss).toBe(serviceStack.auth)
  })

  test('does not know clients, settings, codes and tokens of another site', async () => {
    const atBank = at('login.bank.localhost')
    const page = await open(buildAuthorizeUrl(moveTo(shop, atBank), 'messaging', {}))
    expect(page.status).toBe(400)
    expect(await page.text()).toContain('login_provider or login_provider_identifier is invalid')

    const issuer = at('login.shop.localhost')
    const returned = await logInWith(moveTo(shop, issuer), 'messaging', { user: 'Hanako' })
    const foreign = applicationOf({ ...serviceStack, auth: atBank }, shop)
    await expect(foreign.redeem(returned)).rejects.toThrow('401')
    const { access_token } = await applicationOf({ ...serviceStack, auth: issuer }, shop).redeem(returned)
    expect(await foreign.userinfo(access_token)).toMatchObject({ error: 'invalid_token' })
    expect((await open(`${atBank}/oauth2/login-buttons?client_id=${shop.client.client_id}`)).status).toBe(400)
  })

  test('a login that began on one host cannot end on another', async () => {
    const browser = openTestBrowser()
    const started = await browser.open(buildAuthorizeUrl(moveTo(shop, at('login.shop.localhost')), 'messaging', {}))
    const state = new URL(started.headers.get('location') ?? '').searchParams.get('state')
    const callback = new URL(moveTo(shop, at('login.bank.localhost')).providers.messaging.provider_callback)
    callback.search = `?code=1&state=${state}`
    const page = await browser.open(callback.href)
    expect(page.status).toBe(400)
    expect(await page.text()).toContain('invalid, or the provider settings are disabled')
  })

  test('an ID Token of the other issuer is accepted as a hint', async () => {
    const returned = await logInWith(shop, 'messaging', { user: 'Hanako' })
    const { id_token } = await applicationOf(serviceStack, shop).redeem(returned)
    const logout = await open(`${at('login.shop.localhost')}/oauth2/logout?id_token_hint=${id_token}`)
    expect(await logout.text()).toContain('You are logged out')
  })
})

describe('the name of a host', () => {
  const discovery = '/.well-known/openid-configuration'
  const issuerWith = async (host: string) => {
    const address = new URL(serviceStack.auth)
    const { request } = await import('undici')
    const { statusCode, headers, body } = await request(address.origin + discovery, { headers: { host } })
    const text = await body.text()
    return statusCode === 200 ? JSON.parse(text).issuer : `${statusCode} ${headers.location ?? ''}`.trim()
  }

  test('is compared without its port and without case', async () => {
    expect(await issuerWith('LOGIN.Shop.Localhost:1')).toBe(at('login.shop.localhost'))
  })

  test('with a final dot leads to the name without', async () => {
    expect(await issuerWith('login.shop.localhost.')).toBe(`308 ${at('login.shop.localhost')}${discovery}`)
  })

  test.each(['127.0.0.1', '[::1]', 'evil.example', 'login.shop.localhost.evil.example', 'x.login.shop.localhost'])(
    '%s has the installation’s own issuer',
    async (host) => expect(await issuerWith(host)).toBe(serviceStack.auth),
  )

  test('X-Forwarded-Host is ignored', async () => {
    const headers = { 'x-forwarded-host': 'login.shop.localhost' }
    const metadata = await (await open(serviceStack.auth + discovery, { headers })).json()
    expect(metadata).toMatchObject({ issuer: serviceStack.auth })
  })
})

describe('the claim of a host', () => {
  const claim = (site: SeededSite, host: string) =>
    serviceStack.provider_auth.addHost({ ...namesOf(site), host, purpose: 'login' }, serviceStack.call())

  test.each(['login.shop.localhost', 'shop.localhost', 'a.login.shop.localhost'])(
    '%s is rejected while another site has a related host',
    async (host) => await expect(claim(bank, host)).rejects.toThrow('already_exists'),
  )

  test('without a proof does not hinder the owner, and serves nothing', async () => {
    const host = 'login.library.localhost'
    const claims = await claim(shop, host)
    await proveHost(serviceStack, dns, bank, host)
    dns.setTxt(
      `_social-login.${host}`,
      claims.hosts.filter((one) => one.host === host).map(({ txt_value }) => txt_value),
    )
    await expect(
      serviceStack.provider_auth.checkHost({ ...namesOf(shop), host: 'login.library.localhost' }, serviceStack.call()),
    ).rejects.toThrow('already_exists')
  })

  test('says what is missing', async () => {
    const host = 'login.museum.localhost'
    const check = async () => {
      const { hosts } = await serviceStack.provider_auth.checkHost({ ...namesOf(shop), host }, serviceStack.call())
      return hosts.find((one) => one.host === host)
    }
    await claim(shop, host)
    expect(await check()).toMatchObject({ state: 'claimed', problems: ['txt_missing', 'address_missing'] })
    dns.setTxt(`_social-login.${host}`, ['v=spf1 -all', 'social-login-host=another'])
    expect(await check()).toMatchObject({ problems: ['txt_different', 'address_missing'] })
  })
})

describe('a host without its proof', () => {
  const host = 'login.lapsed.localhost'
  const check = async () => {
    const { hosts } = await serviceStack.provider_auth.checkHost({ ...namesOf(shop), host }, serviceStack.call())
    return hosts.find((one) => one.host === host)
  }
  const statusOf = async () => (await open(`${at(host)}/.well-known/openid-configuration`)).status

  test('is served for three days, then rejected, and served again with a proof', async () => {
    await proveHost(serviceStack, dns, shop, host)
    const { txt_name, txt_value } = (await check()) ?? { txt_name: '', txt_value: '' }
    dns.setTxt(txt_name, [])
    expect(await check()).toMatchObject({ state: 'active', failing_since: expect.any(String) })
    expect(await statusOf()).toBe(200)
    await using database = await openForTest(serviceStack.database_urls.provider_auth)
    await database
      .knex('site_hosts')
      .where({ host })
      .update({ failing_since: new Date(Date.now() - 3 * 86_400_000) })
    expect(await check()).toMatchObject({ state: 'suspended' })
    expect(await statusOf()).toBe(421)
    dns.setTxt(txt_name, [txt_value])
    expect(await check()).toMatchObject({ state: 'active', failing_since: null })
    expect(await statusOf()).toBe(200)
  })

  test('belongs to the site that proves it, once it is suspended', async () => {
    await proveHost(serviceStack, dns, shop, host)
    dns.setTxt(`_social-login.${host}`, [])
    await check()
    await using database = openForTest(serviceStack.database_urls.provider_auth)
    await database
      .knex('site_hosts')
      .where({ host })
      .update({ failing_since: new Date(Date.now() - 3 * 86_400_000) })
    await check()
    const { hosts } = await proveHost(serviceStack, dns, bank, host)
    expect(hosts.find((one) => one.host === host)).toMatchObject({ state: 'active' })
    expect(await check().catch((error: Error) => error.message)).toBe('entity_not_found')
    await serviceStack.provider_auth.removeHost({ ...namesOf(bank), host }, serviceStack.call())
  })

  test('is served although the DNS does not respond', async () => {
    await proveHost(serviceStack, dns, shop, host)
    dns.setResponding(false)
    expect(await check()).toMatchObject({ state: 'active', problems: ['dns_unavailable', 'address_missing'] })
    dns.setResponding(true)
    expect(await check()).toMatchObject({ problems: [] })
  })
})

test('a host that points here serves its own proof', async () => {
  const { hosts } = await serviceStack.provider_auth.readSiteHosts(namesOf(shop), serviceStack.call())
  const host = hosts.find((one) => one.host === 'login.shop.localhost')
  const proof = await (await open(`${at('login.shop.localhost')}/.well-known/social-login-host`)).text()
  expect(proof).toBe(host?.txt_value)
  expect((await open(`${serviceStack.auth}/.well-known/social-login-host`)).status).toBe(404)
})

describe('a host that a site released', () => {
  test('is rejected, also for a site that claims it without a proof, until one proves it again', async () => {
    const host = 'login.gone.localhost'
    const { provider_auth, call } = serviceStack
    await proveHost(serviceStack, dns, shop, host)
    await provider_auth.removeHost({ ...namesOf(shop), host }, call())
    const status = async () => (await open(`${at(host)}/oauth2/authorize`)).status
    expect(await status()).toBe(421)
    dns.setTxt(`_social-login.${host}`, [])
    await provider_auth.addHost({ ...namesOf(bank), host, purpose: 'login' }, call())
    const { hosts } = await provider_auth.checkHost({ ...namesOf(bank), host }, call())
    expect(hosts.find((one) => one.host === host)).toMatchObject({ state: 'claimed' })
    expect(await status()).toBe(421)
    await proveHost(serviceStack, dns, bank, host)
    expect(await (await open(`${at(host)}/.well-known/openid-configuration`)).json()).toMatchObject({
      issuer: at(host),
    })
  })
})

describe('the installation’s own host', () => {
  test('ends for a site that has its own, and the clients that use it are shown before', async () => {
    const { provider_auth, call } = serviceStack
    const site = await seedSite(serviceStack)
    const names = namesOf(site)
    const change = (sharedHost: boolean, expectedRevision: number) =>
      provider_auth.changeSharedHost({ ...names, shared_host: sharedHost, expected_revision: expectedRevision }, call())
    await expect(change(false, 0)).rejects.toThrow('invalid_parameter')
    await proveHost(serviceStack, dns, site, 'login.only.localhost')
    await open(buildAuthorizeUrl(site, 'messaging', {}))
    await expect
      .poll(async () => (await provider_auth.readSiteHosts(names, call())).uses)
      .toMatchObject([{ host: null, client_id: site.client.client_id }])
    await change(false, 0)
    await expect(change(true, 0)).rejects.toThrow('changed_meanwhile')
    expect((await open(buildAuthorizeUrl(site, 'messaging', {}))).status).toBe(400)
    const own = moveTo(site, at('login.only.localhost'))
    expect((await open(buildAuthorizeUrl(own, 'messaging', {}))).status).toBe(302)
    await expect(provider_auth.removeHost({ ...names, host: 'login.only.localhost' }, call())).rejects.toThrow(
      'invalid_parameter',
    )
  })

  test('addresses of provider settings and of links are on the site’s host once it is active', async () => {
    const { provider_auth, call } = serviceStack
    const { providers } = await provider_auth.listProviderSettings({ site: shop.site }, call())
    const messaging = providers.find(({ provider }) => provider === 'messaging')
    expect(messaging).toMatchObject({
      provider_callback: moveTo(shop, at('login.shop.localhost')).providers.messaging.provider_callback,
      other_callbacks: expect.arrayContaining([shop.providers.messaging.provider_callback]),
    })
  })
})

test('proxies learn whether a host may have a certificate', async () => {
  const ask = async (domain: string) =>
    (await open(`${serviceStack.auth}/oauth2/certificates/allowed?domain=${domain}`)).status
  expect(await ask('login.shop.localhost')).toBe(200)
  await proveHost(serviceStack, dns, shop, 'api.shop.localhost', 'api')
  expect(await ask('API.shop.localhost')).toBe(200)
  expect(await ask('evil.example')).toBe(404)
})
