import { allowInsecureRequests, discovery } from 'openid-client'
import { describe, expect, test } from 'vitest'
import { builtInProviders } from '#contracts'
import { type SeededSite, seedSite } from '#testing'
import {
  buildAuthorizeUrl,
  getLocation,
  logIn,
  logInWith,
  openRedirect,
  openTestBrowser,
  submitProviderSignIn,
} from './browser.ts'
import { createSiteFixture } from './site-fixture.ts'

const { serviceStack, site, application } = createSiteFixture()

type Fields = Readonly<Record<string, string | undefined>>

/** The authorization request of a client that knows only discovery. */
function address(fields: Fields = {}, at = site): string {
  return `${serviceStack.auth}/oauth2/authorize${new URL(buildAuthorizeUrl(at, 'search', fields)).search}`
}

function waysOf(html: string): string[] {
  return [...html.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, way = '']) => way.replaceAll('&amp;', '&'))
}

const open = (address: string, init: RequestInit = {}) => fetch(address, { redirect: 'manual', ...init })

/** The providers of a seeded site, in the order of the specification's table. */
const seededOf = (at: SeededSite) =>
  builtInProviders.filter((name) => Object.hasOwn(at.providers, name)) as SeededName[] // Each one is a name of the list.
type SeededName = keyof SeededSite['providers']

/** The settings of the other site's provider, changed. */
const setUp = (at: SeededSite, provider: SeededName, changes: { enabled: boolean }) => {
  const { site: number, account, site_id } = at
  const { client_id, client_secret, options } = at.providers[provider]
  const names = { site: number, account, site_id, provider, client_id, client_secret, options }
  return serviceStack.provider_auth.saveProviderSettings({ ...names, ...changes }, serviceStack.call())
}

describe('the endpoint that discovery names', () => {
  test('200 with the application\u2019s name and a link for each of its providers, with the same parameters', async () => {
    const state = `a+b c%20&d=e"'<>é`
    const response = await open(address({ state, nonce: 'n', extra: 'x' }))
    expect(response.status).toBe(200)
    const html = await response.text()
    expect(html).toContain('<h1>Log in to \u2068test\u2069</h1>')
    expect(html).toContain('Log in with LINE')
    const ways = waysOf(html)
    const input = Object.fromEntries(new URL(address({ state, nonce: 'n', extra: 'x' })).searchParams)
    for (const [index, provider] of seededOf(site).entries()) {
      const way = new URL(ways[index] ?? '')
      expect(way.origin + way.pathname).toBe(site.providers[provider].authorize_uri)
      expect(Object.fromEntries(way.searchParams)).toEqual(input)
    }
    expect(ways).toHaveLength(seededOf(site).length)
  })

  test.each([0, 1, 2])(
    'a login through link %i returns a code to the application that can be redeemed',
    async (way) => {
      const browser = openTestBrowser()
      const ways = waysOf(await (await browser.open(address())).text())
      const callback = await logIn(browser, ways[way] ?? '', { user: 'Chooses' })
      const claims = await application.userOf(callback)
      expect(claims).toMatch(/^[0-9a-f]{40}$/)
    },
  )

  test('a form as authorization request gets the same page', async () => {
    const body = new URL(address({ state: 'from a form' })).searchParams
    const response = await open(`${serviceStack.auth}/oauth2/authorize`, { method: 'POST', body })
    expect(response.status).toBe(200)
    expect(new URL(waysOf(await response.text())[0] ?? '').searchParams.get('state')).toBe('from a form')
  })

  test('a client that knows only discovery finds it', async () => {
    const { client_id, client_secret } = site.client
    const options = { execute: [allowInsecureRequests] }
    const found = await discovery(new URL(serviceStack.auth), client_id, client_secret, undefined, options)
    expect(found.serverMetadata().authorization_endpoint).toBe(`${serviceStack.auth}/oauth2/authorize`)
  })

  test('is in Japanese for browsers that prefer it', async () => {
    const html = await (await open(address({ ui_locales: 'ja' }))).text()
    expect(html).toContain('<html lang="ja" dir="ltr">')
    expect(html).toContain('\u2068test\u2069 にログイン')
    expect(html).toContain('Googleでログイン')
  })

  test('405 to other methods', async () => {
    const response = await open(address(), { method: 'PUT' })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST'])
  })
})

test('a site with one provider redirects to it directly', async () => {
  const shop = await seedSite(serviceStack)
  const others = seededOf(shop).filter((name) => name !== 'search')
  await Promise.all(others.map((name) => setUp(shop, name, { enabled: false })))
  const browser = openTestBrowser()
  const atProvider = await openRedirect(browser, address({}, shop))
  expect(atProvider.startsWith(`${serviceStack.simulator}/search/`)).toBe(true)
  const callback = new URL(await openRedirect(browser, await submitProviderSignIn(browser, atProvider)))
  expect(callback.searchParams.has('code')).toBe(true)
})

test('400 page for a site without a provider', async () => {
  const shop = await seedSite(serviceStack)
  await Promise.all(seededOf(shop).map((name) => setUp(shop, name, { enabled: false })))
  const response = await open(address({}, shop))
  expect(response.status).toBe(400)
  expect(await response.text()).toContain('No login method is available')
})

describe('makes the same checks in the same order', () => {
  test.each([
    ['client_id is invalid.', { client_id: 'unknown', redirect_uri: 'https://evil.example/', scope: 'gold' }],
    ['client_id is invalid.', { client_id: undefined }],
    ['redirect_uri is invalid.', { redirect_uri: 'https://evil.example/', scope: 'gold' }],
    ['redirect_uri is invalid.', { redirect_uri: undefined }],
  ])('400 page "%s" for %j, no redirect and no cookie', async (message, fields) => {
    const response = await open(address(fields))
    expect(response.status).toBe(400)
    expect(response.headers.get('location')).toBeNull()
    expect(response.headers.getSetCookie()).toEqual([])
    expect(await response.text()).toContain(`<p class="message">${message}</p>`)
  })

  test.each([
    ['unsupported_response_type', { response_type: 'token', scope: 'gold' }],
    ['invalid_scope', { scope: 'openid gold', prompt: 'maybe' }],
    ['invalid_request', { prompt: 'none login' }],
    ['request_not_supported', { request: 'e30.e30.' }],
  ])('302 with %s for %j', async (error, fields) => {
    const location = new URL(getLocation(await open(address(fields))))
    expect(location.origin + location.pathname).toBe(site.client.redirect_uri)
    expect(location.searchParams.get('error')).toBe(error)
  })
})

describe('prompt=none without a provider', () => {
  const silent = { prompt: 'none' }
  test('login_required for a browser without a session, for any settings of the site', async () => {
    const location = new URL(getLocation(await open(address(silent))))
    expect(location.searchParams.get('error')).toBe('login_required')
  })

  test.each(['messaging', 'search'] as const)('returns a code for a session through %s', async (provider) => {
    const browser = openTestBrowser()
    const user = await application.userOf(await logInWith(site, provider, { browser, user: 'Any Provider' }))
    const callback = new URL(await openRedirect(browser, address(silent)))
    expect(await application.userOf(callback)).toBe(user)
  })

  test('login_required for a session through a provider that was disabled afterwards', async () => {
    const shop = await seedSite(serviceStack)
    const browser = openTestBrowser()
    await logInWith(shop, 'search', { browser })
    await setUp(shop, 'search', { enabled: false })
    const location = new URL(await openRedirect(browser, address(silent, shop)))
    expect(location.searchParams.get('error')).toBe('login_required')
  })
})
