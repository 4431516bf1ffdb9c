import { describe, expect, test, vi } from 'vitest'
import { openForTest, seedSite, startStack } from '#testing'
import { buildAuthorizeUrl, openRedirect, openTestBrowser, type ProviderName, submitProviderSignIn } from './browser.ts'
import { createSiteFixture } from './site-fixture.ts'

const { serviceStack, site } = createSiteFixture()

/** Starts a login and signs in at the provider; the callback is not opened yet. */
async function signInAtProvider(provider: ProviderName = 'search', shop = site) {
  const browser = openTestBrowser()
  const atProvider = await openRedirect(browser, buildAuthorizeUrl(shop, provider))
  return { browser, callback: await submitProviderSignIn(browser, atProvider) }
}

/** Starts a login; returns the URL that a provider would redirect to, with the state only. */
async function pending(provider: ProviderName = 'search', changes: Record<string, string> = {}) {
  const browser = openTestBrowser()
  const atProvider = new URL(await openRedirect(browser, buildAuthorizeUrl(site, provider, changes)))
  const callback = new URL(site.providers[provider].provider_callback)
  callback.searchParams.set('state', atProvider.searchParams.get('state') ?? '')
  return { browser, callback }
}

async function expectPage(response: Response, message: string): Promise<void> {
  expect(response.status).toBe(400)
  expect(response.headers.get('location')).toBeNull()
  expect(await response.text()).toContain(`<p class="message">${message}</p>`)
}

const ended = 'The login was already completed, or it took too long.'
const elsewhere = 'The login was started in another browser, it has expired, or this browser blocks cookies.'
const otherProvider = 'The login was started with another login provider.'
const disabled = 'login_provider or login_provider_identifier is invalid, or the provider settings are disabled.'

async function countLogins(): Promise<number> {
  await using identity = openForTest(serviceStack.database_urls.identity)
  const [row] = await identity.knex('login_history').where({ site: site.site }).count<{ count: number }[]>()
  return Number(row?.count)
}

describe('400 page and no login', () => {
  test('for a callback opened twice, in another browser or later', async () => {
    const { browser, callback } = await signInAtProvider()
    const cookies = new Map(browser.cookies)
    await openRedirect(browser, callback)
    const before = await countLogins()
    await expectPage(await openTestBrowser().open(callback), ended)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 40_000 })
    try {
      await expectPage(await browser.open(callback), ended)
      for (const [name, value] of cookies) browser.cookies.set(name, value)
      await expectPage(await browser.open(callback), ended)
    } finally {
      vi.useRealTimers()
    }
    expect(await countLogins()).toBe(before)
  })

  test('for a callback opened in another browser, which has a login of its own', async () => {
    const { callback } = await signInAtProvider()
    const { browser: other } = await pending()
    const before = await countLogins()
    await expectPage(await other.open(callback), elsewhere)
    expect(await countLogins()).toBe(before)
  })

  test('after another browser opened the callback, also in the login’s own browser', async () => {
    const { browser, callback } = await signInAtProvider()
    await openTestBrowser().open(callback)
    await expectPage(await browser.open(callback), ended)
  })

  test('for a browser that does not store cookies, without a loop', async () => {
    const { browser, callback } = await signInAtProvider()
    browser.cookies.clear()
    await expectPage(await browser.open(callback), elsewhere)
  })

  test("for a provider's response at another provider's callback", async () => {
    const { browser, callback } = await signInAtProvider('search')
    const { search } = new URL(callback)
    const response = await browser.open(site.providers.messaging.provider_callback + search)
    await expectPage(response, otherProvider)
  })

  test("for a response at the callback of another site's settings of the same provider", async () => {
    const other = await seedSite(serviceStack)
    const { browser, callback } = await signInAtProvider('search')
    const { search } = new URL(callback)
    await expectPage(await browser.open(other.providers.search.provider_callback + search), otherProvider)
  })

  test.each(['', '?code=x', '?code=x&state=', '?code=x&state=unknown', '?state=a&state=a', '?error=access_denied'])(
    'for a callback without a login: "%s"',
    async (query) => {
      const response = await openTestBrowser().open(site.providers.search.provider_callback + query)
      await expectPage(response, ended)
    },
  )

  test('when the provider settings were disabled meanwhile', async () => {
    const shop = await seedSite(serviceStack)
    const { browser, callback } = await signInAtProvider('search', shop)
    const { site: number, account, site_id } = shop
    const names = { site: number, account, site_id, provider: 'search', client_id: 'c', client_secret: 's' } as const
    await serviceStack.provider_auth.saveProviderSettings({ ...names, enabled: false }, serviceStack.call())
    await expectPage(await browser.open(callback), disabled)
  })

  test('when the redirect_uri was removed meanwhile', async () => {
    const shop = await seedSite(serviceStack)
    const { browser, callback } = await signInAtProvider('messaging', shop)
    const name = { site: shop.site, client_id: shop.client.client_id }
    const { revision } = await serviceStack.provider_auth.readClient(name, serviceStack.call())
    const change = { ...name, expected_revision: revision, redirect_uris: ['https://shop.example.com/other'] }
    await serviceStack.provider_auth.changeClient(change, serviceStack.call())
    await expectPage(await browser.open(callback), 'redirect_uri is invalid.')
  })

  test('when the client was removed meanwhile', async () => {
    const shop = await seedSite(serviceStack)
    const { browser, callback } = await signInAtProvider('messaging', shop)
    const name = { site: shop.site, client_id: shop.client.client_id }
    await serviceStack.provider_auth.removeClient(name, serviceStack.call())
    await expectPage(await browser.open(callback), 'client_id is invalid.')
  })
})

describe('302 to the redirect_uri', () => {
  const resultOf = async (
    { browser, callback }: Awaited<ReturnType<typeof pending>>,
    response: Record<string, string>,
  ) => {
    for (const [name, value] of Object.entries(response)) callback.searchParams.set(name, value)
    return Object.fromEntries(new URL(await openRedirect(browser, callback.href)).searchParams)
  }
  const about = () => ({ state: 'state-of-the-application', iss: serviceStack.auth })
  const serverError = { error: 'server_error', error_description: 'Internal server error.' }

  test('with the provider\u2019s error and the application\u2019s state, without the provider\u2019s description', async () => {
    const words = { error_description: 'words of the provider', error_uri: 'https://evil.example' }
    for (const iss of [{ iss: `${serviceStack.simulator}/search` }, {}]) {
      const response = { error: 'interaction_required', ...iss, ...words }
      expect(await resultOf(await pending(), response)).toEqual({ error: 'interaction_required', ...about() })
    }
  })

  test.each(['e'.repeat(65), 'a"b', 'a\\b', 'a\r\nSet-Cookie: x=y', 'é', '<script>\u0007'])(
    'with server_error for an invalid error of the provider: %j',
    async (error) => {
      expect(await resultOf(await pending('messaging'), { error })).toEqual({ ...serverError, ...about() })
    },
  )

  test('with server_error for an error in the name of another issuer', async () => {
    const response = { error: 'access_denied', iss: 'https://evil.example' }
    expect(await resultOf(await pending(), response)).toEqual({ ...serverError, ...about() })
  })

  test('with access_denied when the provider returns neither a code nor an error', async () => {
    expect(await resultOf(await pending('messaging'), {})).toEqual({ error: 'access_denied', ...about() })
  })

  test('with server_error for a code that the provider rejects', async () => {
    expect(await resultOf(await pending('messaging'), { code: 'made-up' })).toEqual({ ...serverError, ...about() })
  })

  test('without a state if the application sent none', async () => {
    const browser = openTestBrowser()
    const atProvider = await openRedirect(browser, buildAuthorizeUrl(site, 'search', { state: undefined }))
    const callback = await submitProviderSignIn(browser, atProvider, { decision: 'deny' })
    const location = new URL(await openRedirect(browser, callback))
    expect([...location.searchParams.keys()]).toEqual(['error', 'iss'])
  })
})

describe('a browser that opens a callback again gets the same redirect, and the login counts once', () => {
  test('after the first response', async () => {
    const { browser, callback } = await signInAtProvider()
    const first = await openRedirect(browser, callback)
    const before = await countLogins()
    expect(await openRedirect(browser, callback)).toBe(first)
    expect(await countLogins()).toBe(before)
  })

  test('before it, with the session of the login', async () => {
    const { browser, callback } = await signInAtProvider()
    const before = await countLogins()
    const [first, second] = await Promise.all([browser.open(callback), browser.open(callback)])
    expect(first.headers.get('location')).toContain('code=')
    expect(second.headers.get('location')).toBe(first.headers.get('location'))
    expect(second.headers.getSetCookie()).toEqual(first.headers.getSetCookie())
    expect(await countLogins()).toBe(before + 1)
  })

  test('after a failure', async () => {
    const { browser, callback } = await pending('messaging')
    callback.searchParams.set('error', 'ACCESS_DENIED')
    const first = await openRedirect(browser, callback.href)
    expect(await openRedirect(browser, callback.href)).toBe(first)
  })
})

test('a started login expires after ten minutes', async () => {
  const { browser, callback } = await signInAtProvider()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 })
  try {
    await expectPage(await browser.open(callback), ended)
  } finally {
    vi.useRealTimers()
  }
})

test('logins are counted by provider and outcome', async () => {
  await using own = await startStack()
  const shop = await seedSite(own)
  const browser = openTestBrowser()
  const decide = async (decision: 'allow' | 'deny') => {
    const atProvider = await openRedirect(browser, buildAuthorizeUrl(shop, 'search'))
    await openRedirect(browser, await submitProviderSignIn(browser, atProvider, { decision }))
  }
  await decide('allow')
  await decide('deny')
  await browser.open(buildAuthorizeUrl(shop, 'search', { client_id: 'unknown' }))
  await browser.open(shop.providers.search.authorize_uri.replace('/search/', '/made-up/'))
  const [running] = own.services.provider_auth
  const metrics = await (await fetch(`http://localhost:${running?.operations_port}/metrics`)).text()
  const counted = [...metrics.matchAll(/^sociallogin_authorize_flows_total\{([^}]*)\} (\d+)$/gm)].map(
    ([, labels = '', count]) => {
      const read = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(labels)?.[1]
      return `${read('provider')} ${read('outcome')} ${count}`
    },
  )
  expect(counted.sort()).toEqual([
    'search client_error 1',
    'search started 2',
    'search success 1',
    'search user_denied 1',
    'unknown client_error 1',
  ])
})
