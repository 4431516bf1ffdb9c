import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { inspectRedis, type SeededSite } from '#testing'
import { applicationOf } from './application.ts'
import { buildAuthorizeUrl, hiddenFields, logInWith, openTestBrowser, type TestBrowser } from './browser.ts'
import { createSiteFixture } from './site-fixture.ts'

const postLogoutRedirectUri = 'https://shop.example.com/goodbye?kept=1'

const { serviceStack, site: shop } = createSiteFixture()
const { site: other } = createSiteFixture()
beforeAll(async () => {
  for (const { site, client } of [shop, other])
    await serviceStack.provider_auth.changeClient(
      { site, client_id: client.client_id, expected_revision: 1, post_logout_redirect_uris: [postLogoutRedirectUri] },
      serviceStack.call(),
    )
})

const endpoint = () => `${serviceStack.auth}/oauth2/logout`
const addressOf = (parameters: Record<string, string>) => `${endpoint()}?${new URLSearchParams(parameters)}`

/** A login in a browser, and its ID Token. */
async function logInAt(site: SeededSite, browser: TestBrowser, user = 'Hanako Yamada') {
  const callback = await logInWith(site, 'search', { browser, user, parameters: { nonce: 'n' } })
  return (await applicationOf(serviceStack, site).redeem(callback)).id_token
}

async function isLoggedIn(site: SeededSite, browser: TestBrowser): Promise<boolean> {
  const response = await browser.open(buildAuthorizeUrl(site, 'search', { prompt: 'none', scope: 'openid' }))
  return new URL(response.headers.get('location') ?? '').searchParams.has('code')
}

const sessionsOf = (browser: TestBrowser) => [...browser.cookies.keys()].filter((name) => name.startsWith('session-'))

describe('a logout with id_token_hint', () => {
  test('ends only the session with the site, deletes its cookie, and keeps the query of the redirect URI', async () => {
    const browser = openTestBrowser()
    const idTokenHint = await logInAt(shop, browser)
    await logInAt(other, browser)
    const parameters = { id_token_hint: idTokenHint, post_logout_redirect_uri: postLogoutRedirectUri, state: 'a b&c' }
    const response = await browser.open(addressOf(parameters))
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      `${postLogoutRedirectUri}&state=a%20b%26c`,
    ])
    expect(sessionsOf(browser)).toHaveLength(1)
    expect([await isLoggedIn(shop, browser), await isLoggedIn(other, browser)]).toEqual([false, true])
  })

  test('without a session redirects back, even if the ID Token has expired', async () => {
    const idTokenHint = await logInAt(shop, openTestBrowser())
    const { exp = 0 } = decodeJwt(idTokenHint)
    vi.useFakeTimers({ toFake: ['Date'], now: (exp + 300) * 1_000 })
    try {
      const response = await openTestBrowser().open(
        addressOf({ id_token_hint: idTokenHint, post_logout_redirect_uri: postLogoutRedirectUri }),
      )
      expect([response.status, response.headers.get('location')]).toEqual([303, postLogoutRedirectUri])
    } finally {
      vi.useRealTimers()
    }
  })

  test('of another user requires confirmation', async () => {
    const browser = openTestBrowser()
    const idTokenHint = await logInAt(shop, openTestBrowser(), 'Grace Hopper')
    await logInAt(shop, browser)
    const confirmation = await browser.open(
      addressOf({ id_token_hint: idTokenHint, post_logout_redirect_uri: postLogoutRedirectUri, state: 's' }),
    )
    expect(confirmation.status).toBe(200)
    expect(await isLoggedIn(shop, browser)).toBe(true)
    const confirmed = await browser.open(endpoint(), hiddenFields(await confirmation.text()))
    expect(confirmed.headers.get('location')).toBe(`${postLogoutRedirectUri}&state=s`)
    expect(await isLoggedIn(shop, browser)).toBe(false)
  })

  test('and the client_id of another client shows an error page with 400', async () => {
    const idTokenHint = await logInAt(shop, openTestBrowser())
    const response = await openTestBrowser().open(
      addressOf({ id_token_hint: idTokenHint, client_id: other.client.client_id }),
    )
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('client_id is invalid.')
  })

  test('posted by the application’s page, without our cookies, logs the end user out', async () => {
    const browser = openTestBrowser()
    const idTokenHint = await logInAt(shop, browser)
    const form: [string, string][] = [
      ['id_token_hint', idTokenHint],
      ['post_logout_redirect_uri', postLogoutRedirectUri],
    ]
    const posted = await browser.postCrossSite(endpoint(), form)
    expect(posted.status).toBe(303)
    const location = posted.headers.get('location') ?? ''
    expect(location).not.toContain(idTokenHint)
    expect(await isLoggedIn(shop, browser)).toBe(true)
    expect((await browser.open(location)).headers.get('location')).toBe(postLogoutRedirectUri)
    expect(await isLoggedIn(shop, browser)).toBe(false)
  })

  test('by HEAD ends no session', async () => {
    const browser = openTestBrowser()
    const idTokenHint = await logInAt(shop, browser)
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(addressOf({ id_token_hint: idTokenHint }), { method: 'HEAD', headers: { cookie } })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST'])
    expect(await isLoggedIn(shop, browser)).toBe(true)
  })
})

describe('a logout without id_token_hint requires confirmation', () => {
  const openConfirmation = async (browser: TestBrowser, parameters: Record<string, string> = {}) => {
    const response = await browser.open(addressOf(parameters))
    expect([response.status, response.headers.get('location')]).toEqual([200, null])
    return response.text()
  }

  test('with client_id, then ends only the session with its site and redirects to its registered URI', async () => {
    const browser = openTestBrowser()
    await logInAt(shop, browser)
    await logInAt(other, browser)
    const { client_id } = shop.client
    const html = await openConfirmation(browser, {
      client_id,
      post_logout_redirect_uri: postLogoutRedirectUri,
      state: 's',
    })
    expect(html).toMatch(/Log out of .*test.*\?/)
    const confirmed = await browser.open(endpoint(), hiddenFields(html))
    expect(confirmed.headers.get('location')).toBe(`${postLogoutRedirectUri}&state=s`)
    expect([await isLoggedIn(shop, browser), await isLoggedIn(other, browser)]).toEqual([false, true])
  })

  test('without any parameter, then ends the sessions with every site', async () => {
    const browser = openTestBrowser()
    await logInAt(shop, browser)
    await logInAt(other, browser)
    const confirmed = await browser.open(endpoint(), hiddenFields(await openConfirmation(browser)))
    expect(await confirmed.text()).toContain('You are logged out')
    expect(sessionsOf(browser)).toEqual([])
    expect([await isLoggedIn(shop, browser), await isLoggedIn(other, browser)]).toEqual([false, false])
  })

  test('and looks up only as many sessions as a browser can have, for any number of cookies', async () => {
    using redis = await inspectRedis(serviceStack.redis.url)
    const before = await redis.countCalls('get')
    const cookie = Array.from({ length: 900 }, (_, number) => `session-${number}=x`).join('; ')
    expect((await fetch(endpoint(), { headers: { cookie } })).status).toBe(200)
    expect((await redis.countCalls('get')) - before).toBeLessThan(100)
  })

  test('unless there is no session', async () => {
    expect(await openConfirmation(openTestBrowser())).toContain('You are logged out')
  })

  test.each([
    ['with the wrong token', { csrf: 'x'.repeat(64) }, {}],
    ['without one', {}, {}],
    ['from another site, with the right one', undefined, { 'sec-fetch-site': 'cross-site' }],
  ])('a form %s ends no session', async (_, wrong, headers) => {
    const browser = openTestBrowser()
    await logInAt(shop, browser)
    const fields = { ...hiddenFields(await openConfirmation(browser)), ...wrong }
    if (wrong !== undefined && !('csrf' in wrong)) fields.csrf = ''
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const body = new URLSearchParams(fields)
    await fetch(endpoint(), { method: 'POST', body, headers: { cookie, ...headers }, redirect: 'manual' })
    expect(await isLoggedIn(shop, browser)).toBe(true)
  })

  test('the form token of one browser is not accepted in another', async () => {
    const [mine, theirs] = [openTestBrowser(), openTestBrowser()]
    await logInAt(shop, mine)
    await logInAt(shop, theirs)
    await theirs.open(endpoint(), hiddenFields(await openConfirmation(mine)))
    expect(await isLoggedIn(shop, theirs)).toBe(true)
  })
})

describe('logout pages', () => {
  test.each([
    ['en', 'You logged in with', 'You may still be logged in to'],
    ['ja', 'でログインしています。', 'にはログインしたままの場合があります。'],
  ])('name in %s the provider at which the end user is still logged in', async (uiLocales, before, after) => {
    const browser = openTestBrowser()
    await logInAt(shop, browser)
    const { client_id } = shop.client
    const question = await (await browser.open(addressOf({ client_id, ui_locales: uiLocales }))).text()
    expect(question).toContain(`lang="${uiLocales}"`)
    expect(question).toContain(before)
    expect(question).toContain('Google')
    const ended = await (await browser.open(endpoint(), hiddenFields(question))).text()
    expect(ended).toContain(`lang="${uiLocales}"`)
    expect(ended).toContain(after)
    expect(ended).toContain('Google')
  })

  test.each<[string, string, Record<string, string>]>([
    ['an unknown client', 'client_id is invalid.', { client_id: 'unknown' }],
    ['a state that is too long', 'The parameters cannot be read', { state: 's'.repeat(2_049) }],
  ])('are 400 for %s', async (_, message, parameters) => {
    const response = await openTestBrowser().open(addressOf(parameters))
    expect(response.status).toBe(400)
    expect(await response.text()).toContain(message)
  })

  test('are 400 for a repeated parameter', async () => {
    const response = await openTestBrowser().open(`${endpoint()}?state=a&state=b`)
    expect(response.status).toBe(400)
  })
})

describe('post_logout_redirect_uris', () => {
  test('of an app’s loopback address accept any port, for a public client only', async () => {
    const { provider_auth, call } = serviceStack
    const uris = { redirect_uris: ['http://127.0.0.1/callback'], post_logout_redirect_uris: ['http://127.0.0.1/bye'] }
    const open = async (kind: 'public' | 'confidential', port: string) => {
      const { client_id } = await provider_auth.registerClient({ site: shop.site, name: 'app', kind, ...uris }, call())
      const parameters = { client_id, post_logout_redirect_uri: `http://127.0.0.1${port}/bye` }
      const { status, headers } = await openTestBrowser().open(addressOf(parameters))
      return [status, headers.get('location')]
    }
    expect(await open('public', ':51004')).toEqual([303, 'http://127.0.0.1:51004/bye'])
    expect(await open('confidential', '')).toEqual([303, 'http://127.0.0.1/bye'])
    expect(await open('confidential', ':51004')).toEqual([400, null])
  })

  const register = (postLogoutRedirectUris: string[]) =>
    serviceStack.provider_auth.registerClient(
      {
        site: shop.site,
        name: 'x',
        kind: 'confidential',
        redirect_uris: [postLogoutRedirectUri],
        post_logout_redirect_uris: postLogoutRedirectUris,
      },
      serviceStack.call(),
    )

  test('are stored sorted and without duplicates, and may be empty', async () => {
    const { client } = await register(['https://b.example/', 'https://a.example/', 'https://b.example/'])
    expect(client.post_logout_redirect_uris).toEqual(['https://a.example/', 'https://b.example/'])
    expect((await register([])).client.post_logout_redirect_uris).toEqual([])
  })

  test.each([
    ['https://shop.example.com/#end', 'must not contain a fragment'],
    ['http://shop.example.com/', 'must use https: http is allowed for localhost only'],
  ])('follow the rules of redirect URIs: %s %s', async (address, reason) => {
    await expect(register(['https://shop.example.com/', address])).rejects.toMatchObject({
      fault: 'invalid_parameter',
      fields: [{ field: 'post_logout_redirect_uris.1', reason }],
    })
  })

  test('follow the rules of their site', async () => {
    const { identity, provider_auth, call } = serviceStack
    const { site } = await identity.registerSite({ account: 'test', site_id: 'strict', name: 'strict' }, call())
    await identity.changeSite({ site, domains: ['example.com'] }, call())
    const confirmation = {
      site,
      name: 'x',
      kind: 'confidential' as const,
      redirect_uris: ['https://example.com/callback'],
    }
    const elsewhere = { ...confirmation, post_logout_redirect_uris: ['https://example.net/'] }
    await expect(provider_auth.registerClient(elsewhere, call())).rejects.toMatchObject({
      fields: [{ field: 'post_logout_redirect_uris.0', reason: expect.stringContaining('example.com') }],
    })
    await provider_auth.registerClient(
      { ...confirmation, post_logout_redirect_uris: ['https://example.com/bye'] },
      call(),
    )
    await expect(identity.changeSite({ site, domains: ['www.example.com'] }, call())).rejects.toMatchObject({
      fault: 'invalid_parameter',
      fields: expect.arrayContaining([expect.objectContaining({ reason: expect.stringContaining('/bye') })]),
    })
  })
})
