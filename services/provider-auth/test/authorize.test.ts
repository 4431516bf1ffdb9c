import { describe, expect, test } from 'vitest'
import { seedSite } from '#testing'
import { buildAuthorizeUrl, getLocation } from './browser.ts'
import { createSiteFixture } from './site-fixture.ts'

const ownQuery = 'https://shop.example.com:8443/Callback/?keep=%7e1'

const { serviceStack, site } = createSiteFixture({ redirect_uris: ['https://shop.example.com/callback', ownQuery] })
const { site: other } = createSiteFixture()

const open = (address: string, init: RequestInit = {}) => fetch(address, { redirect: 'manual', ...init })
const sendRequest = (changes: Record<string, string | undefined> = {}) =>
  open(buildAuthorizeUrl(site, 'search', changes))

async function messageOf(response: Response): Promise<string | undefined> {
  return /<p class="message">([^<]*)<\/p>/.exec(await response.text())?.[1]
}

/** Expects an error page without a redirect or a cookie. */
function expectDeadEnd(response: Response): void {
  expect(response.headers.get('location')).toBeNull()
  expect(response.headers.getSetCookie()).toEqual([])
}

describe('400 page, no redirect and no cookie', () => {
  const unknown = 'login_provider or login_provider_identifier is invalid, or the provider settings are disabled.'
  const at = (path: string) => {
    const address = new URL(buildAuthorizeUrl(site, 'search'))
    return `${serviceStack.auth}${path}${address.search}`
  }
  test.each<[string, string, () => string]>([
    [
      'an unknown client_id',
      'client_id is invalid.',
      () => buildAuthorizeUrl(site, 'search', { client_id: 'unknown' }),
    ],
    ['no client_id', 'client_id is invalid.', () => buildAuthorizeUrl(site, 'search', { client_id: undefined })],
    [
      'client_id twice',
      'client_id is invalid.',
      () => `${buildAuthorizeUrl(site, 'search')}&client_id=${site.client.client_id}`,
    ],
    [
      'an unregistered redirect_uri',
      'redirect_uri is invalid.',
      () => buildAuthorizeUrl(site, 'search', { redirect_uri: 'https://evil.example/' }),
    ],
    [
      'no redirect_uri',
      'redirect_uri is invalid.',
      () => buildAuthorizeUrl(site, 'search', { redirect_uri: undefined }),
    ],
    [
      'redirect_uri twice',
      'redirect_uri is invalid.',
      () => `${buildAuthorizeUrl(site, 'search')}&redirect_uri=${encodeURIComponent(site.client.redirect_uri)}`,
    ],
    ['an unknown provider', unknown, () => at('/oauth2/authorize/unknown/x')],
    ['a provider for old links only', unknown, () => at('/oauth2/authorize/search_legacy/x')],
    ['a provider closed to new use', unknown, () => at('/oauth2/authorize/shopping/x')],
    ['unknown settings', unknown, () => at('/oauth2/authorize/search/x')],
    [
      'settings under the name of another provider',
      unknown,
      () => {
        const { login_provider_identifier } = site.providers.search
        return at(`/oauth2/authorize/messaging/${login_provider_identifier}`)
      },
    ],
    ['a NUL in the path', unknown, () => at('/oauth2/authorize/search/%00')],
    ["another site's client", 'client_id is invalid.', () => buildAuthorizeUrl(site, 'search', { ...other.client })],
  ])('for %s', async (_, message, address) => {
    const response = await open(address())
    expect(response.status).toBe(400)
    expectDeadEnd(response)
    expect(await messageOf(response)).toBe(message)
  })

  test.each(['%', 'a=%zz', 'state=%ff', 'state=%00', `state=${'x'.repeat(20_000)}`, 'a&'.repeat(100)])(
    'for a query that cannot be read: %.20s',
    async (query) => {
      const response = await open(`${site.providers.search.authorize_uri}?${query}`)
      expect(response.status).toBe(400)
      expectDeadEnd(response)
      expect(await messageOf(response)).toMatch(/^The parameters cannot be read/)
    },
  )

  test('for a POST whose body is not a form', async () => {
    const init = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }
    const response = await open(site.providers.search.authorize_uri, init)
    expect(response.status).toBe(400)
    expectDeadEnd(response)
  })

  test('for settings that are disabled', async () => {
    const shop = await seedSite(serviceStack)
    const { site: number, account, site_id } = shop
    const names = { site: number, account, site_id, provider: 'search', client_id: 'c', client_secret: 's' } as const
    await serviceStack.provider_auth.saveProviderSettings({ ...names, enabled: false }, serviceStack.call())
    const response = await open(buildAuthorizeUrl(shop, 'search'))
    expect(response.status).toBe(400)
    expectDeadEnd(response)
  })

  test('for the first of two errors: settings, then client, then redirect_uri', async () => {
    const redirectUri = 'https://evil.example/'
    const { search } = new URL(buildAuthorizeUrl(site, 'search', { client_id: 'unknown', redirect_uri: redirectUri }))
    const all = await open(`${serviceStack.auth}/oauth2/authorize/search/x${search}`)
    expect(await messageOf(all)).toMatch(/^login_provider /)
    expect(await messageOf(await sendRequest({ client_id: 'unknown', redirect_uri: redirectUri }))).toBe(
      'client_id is invalid.',
    )
    expect(await messageOf(await sendRequest({ redirect_uri: redirectUri, scope: 'gold' }))).toBe(
      'redirect_uri is invalid.',
    )
  })
})

describe('302 to the redirect_uri with an error', () => {
  const errorOf = async (changes: Record<string, string | undefined>) =>
    new URL(getLocation(await sendRequest(changes)))

  test('in the query for the code flow, with state and iss', async () => {
    const { origin, pathname, hash, searchParams } = await errorOf({ scope: 'profile' })
    expect(origin + pathname).toBe(site.client.redirect_uri)
    expect(hash).toBe('')
    expect(Object.fromEntries(searchParams)).toEqual({
      error: 'invalid_scope',
      error_description: 'openid scope is required.',
      state: 'state-of-the-application',
      iss: serviceStack.auth,
    })
  })

  test('in the fragment for the ID Token flow', async () => {
    const { search, hash } = await errorOf({ response_type: 'id_token' })
    expect(search).toBe('')
    expect(Object.fromEntries(new URLSearchParams(hash.slice(1)))).toEqual({
      error: 'invalid_request',
      error_description: 'When response_type includes id_token, nonce is required.',
      state: 'state-of-the-application',
      iss: serviceStack.auth,
    })
  })

  test('in the query for a response_type that is missing or undefined', async () => {
    for (const responseType of [undefined, 'token', 'code id_token']) {
      const { search, hash } = await errorOf({ response_type: responseType })
      expect(search).toMatch(/^\?error=unsupported_response_type&error_description=Unsupported%20response_type\.&/)
      expect(hash).toBe('')
    }
  })

  test('starts no login: no cookie', async () => {
    expect((await sendRequest({ scope: 'profile' })).headers.getSetCookie()).toEqual([])
  })

  test('starts with the registered redirect_uri byte for byte', async () => {
    const location = getLocation(await sendRequest({ redirect_uri: ownQuery, scope: 'gold' }))
    expect(location.startsWith(`${ownQuery}&error=invalid_scope&`)).toBe(true)
  })

  test('returns the state byte for byte, and none if none was sent', async () => {
    const state = `a+b c%20&d=e"'<>;/?:@[]{}|\\^~\`é\u2028`
    expect((await errorOf({ scope: 'gold', state })).searchParams.get('state')).toBe(state)
    expect((await errorOf({ scope: 'gold', state: undefined })).searchParams.has('state')).toBe(false)
  })
})

describe('every response to a browser', () => {
  const { csp, frame } = { csp: /default-src 'none'.*frame-ancestors 'none'.*base-uri 'none'/, frame: 'DENY' }
  test.each<[string, number, () => Promise<Response>]>([
    ['the redirect to the provider', 302, () => sendRequest()],
    ['an error to the application', 302, () => sendRequest({ scope: 'gold' })],
    ['an error page', 400, () => sendRequest({ client_id: 'unknown' })],
    ['a callback without a login', 400, () => open(`${serviceStack.auth}/oauth2/callback/search/x`)],
    ['an unknown address', 404, () => open(`${serviceStack.auth}/nowhere`)],
    ['a wrong method', 405, () => open(site.providers.search.authorize_uri, { method: 'PUT' })],
  ])('%s: %i with security headers, not cached, not readable by scripts', async (_, status, get) => {
    const response = await get()
    expect(response.status).toBe(status)
    expect(response.headers.get('content-security-policy')).toMatch(csp)
    expect(response.headers.get('x-frame-options')).toBe(frame)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    expect(response.headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    expect(response.headers.get('server')).toBeNull()
  })

  test('a redirect has an empty body and no Refresh', async () => {
    const response = await sendRequest()
    expect(response.status).toBe(302)
    expect(response.headers.get('refresh')).toBeNull()
    expect(response.headers.get('content-type')).toBeNull()
    expect(await response.text()).toBe('')
  })

  test('URLs come from configuration, regardless of the request’s host', async () => {
    const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', forwarded: 'host=evil.example' }
    const response = await open(buildAuthorizeUrl(site, 'search'), { headers })
    expect(getLocation(response)).not.toContain('evil')
    expect(response.headers.getSetCookie()[0]).toMatch(/^login-/)
  })
})

describe('an error page', () => {
  test('contains nothing of the request', async () => {
    const mark = `<script>alert(1)</script>"'canary`
    const query = new URLSearchParams({ client_id: mark, redirect_uri: mark, state: mark, [mark]: mark })
    for (const path of ['authorize', 'callback']) {
      const address = `${serviceStack.auth}/oauth2/${path}/${encodeURIComponent(mark)}/${encodeURIComponent(mark)}?${query}`
      const page = await (await open(address)).text()
      expect(page).not.toContain('canary')
      expect(page).not.toContain('script')
    }
  })

  test('shows the request ID of the header, and what to do next', async () => {
    const response = await sendRequest({ client_id: 'unknown' })
    const page = await response.text()
    expect(page).toContain(`<code dir="ltr">${response.headers.get('x-request-id')}</code>`)
    expect(page).toContain('Go back to the application and try again.')
  })

  test('loads only the stylesheet of its own origin', async () => {
    const page = await (await sendRequest({ client_id: 'unknown' })).text()
    const loaded = [...page.matchAll(/<(?:link|img|script|source)[^>]* (?:href|src|srcset)="([^"]*)"/g)].map(
      ([, address]) => address,
    )
    expect(loaded).toEqual(['/oauth2/pages.css'])
    const stylesheet = await open(`${serviceStack.auth}/oauth2/pages.css`)
    expect(stylesheet.status).toBe(200)
    expect(stylesheet.headers.get('content-type')).toBe('text/css; charset=utf-8')
    expect(await stylesheet.text()).not.toMatch(/url\(|@import/)
  })
})

describe('F10 only documented paths respond', () => {
  test.each(['HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('405 to %s', async (method) => {
    const authorize = await open(buildAuthorizeUrl(site, 'search'), { method })
    expect([authorize.status, authorize.headers.get('allow')]).toEqual([405, 'GET, POST'])
    expectDeadEnd(authorize)
    const callback = await open(site.providers.search.provider_callback, { method })
    expect([callback.status, callback.headers.get('allow')]).toEqual([405, 'GET'])
  })

  test('405 to a POST to a callback of a provider that uses GET', async () => {
    const response = await open(site.providers.search.provider_callback, {
      method: 'POST',
      body: new URLSearchParams(),
    })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET'])
  })

  test.each(['/OAUTH2/authorize', '/oauth2/Authorize', '/oauth2//authorize', '/oauth2/authorize/search%2F'])(
    '404 below %s',
    async (path) => {
      const { pathname, search } = new URL(buildAuthorizeUrl(site, 'search'))
      const response = await open(serviceStack.auth + pathname.replace('/oauth2/authorize', path) + search)
      expect(response.status).toBe(404)
    },
  )

  test('404 with a trailing slash', async () => {
    const { pathname, search } = new URL(buildAuthorizeUrl(site, 'search'))
    expect((await open(`${serviceStack.auth}${pathname}/${search}`)).status).toBe(404)
  })

  test('a broken percent-encoding in the path is not a defect', async () => {
    expect((await open(`${serviceStack.auth}/oauth2/authorize/search/%zz`)).status).toBeLessThan(500)
  })
})
