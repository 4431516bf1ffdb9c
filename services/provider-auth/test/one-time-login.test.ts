import { describe, expect, test } from 'vitest'
import { Fault } from '#contracts'
import { readLinkData, seedSite } from '#testing'
import {
  buildAuthenticateUrl,
  fetchOneTimeToken,
  getDenialError,
  getLocation,
  logIn,
  logInWith,
  openRedirect,
  openTestBrowser,
  type ProviderName,
  submitProviderSignIn,
} from './browser.ts'
import { createSiteFixture } from './site-fixture.ts'

const ownQuery = 'https://shop.example.com:8443/Callback/?keep=%7e1'

const { serviceStack, site, application } = createSiteFixture({
  redirect_uris: ['https://shop.example.com/callback', ownQuery],
})
const { site: other } = createSiteFixture({ redirect_uris: ['https://other.example.com/callback'] })

const address = (changes: Record<string, string | undefined> = {}, provider: ProviderName = 'messaging') =>
  buildAuthenticateUrl(serviceStack, site, provider, changes)
const redeem = (token: string) =>
  serviceStack.provider_auth.redeemOneTimeToken({ site: site.site, token }, serviceStack.call())

describe.each<ProviderName>(['messaging', 'social', 'search', 'device'])(
  'a login through %s by way of the site’s own page',
  (provider) => {
    test('302 to the callback with a one-time token, which can be redeemed once', async () => {
      const callback = await logIn(openTestBrowser(), address({}, provider), { user: 'Ada King' })
      expect(`${callback.origin}${callback.pathname}`).toBe(site.client.redirect_uri)
      expect(Object.fromEntries(callback.searchParams)).toEqual({
        status: 'authorized',
        token: expect.stringMatching(/^slot_[\w-]{43}$/),
        state: 'state-of-the-application',
      })
      const token = callback.searchParams.get('token') ?? ''
      const { identifier } = await redeem(token)
      await expect(redeem(token)).rejects.toEqual(new Fault('invalid_authentication_token'))
      const input = { site: site.site, identifier }
      const { user } = await serviceStack.identity.resolveUser(input, serviceStack.call())
      expect(user).toMatchObject({ login_count: 1, last_logged_in_provider: provider })
      const { credentials } = await readLinkData(serviceStack, input)
      expect(Object.keys(credentials)).toEqual([provider])
      const { email } = await serviceStack.profile.readProfile(input, serviceStack.call())
      expect(email).toEqual([expect.objectContaining({ media_id: provider })])
    })

    test('is the same user as through the authorization endpoint', async () => {
      const { identifier } = await redeem(await fetchOneTimeToken(serviceStack, site, { provider, user: 'Both Ways' }))
      const callback = await logInWith(site, provider, { user: 'Both Ways' })
      expect(await application.userOf(callback)).toBe(identifier)
    })

    test('302 with the provider’s error if the end user denies', async () => {
      const callback = await logIn(openTestBrowser(), address({}, provider), { decision: 'deny' })
      expect(Object.fromEntries(callback.searchParams)).toEqual({
        status: 'failed',
        reason: getDenialError(provider),
        state: 'state-of-the-application',
      })
    })
  },
)

test('302 to the registered callback with its own query, and without a state if none was sent', async () => {
  const browser = openTestBrowser()
  const atProvider = await openRedirect(browser, address({ callback: ownQuery, state: undefined }))
  const location = getLocation(await browser.open(await submitProviderSignIn(browser, atProvider)))
  expect(location).toMatch(
    /^https:\/\/shop\.example\.com:8443\/Callback\/\?keep=%7e1&status=authorized&token=slot_[\w-]+$/,
  )
})

test('400 page in a browser that did not start it', async () => {
  const atProvider = await openRedirect(openTestBrowser(), address())
  const callback = await submitProviderSignIn(openTestBrowser(), atProvider)
  expect((await openTestBrowser().open(callback)).status).toBe(400)
})

describe('400 page, no redirect and no cookie', () => {
  const siteInvalid =
    'The account, site or login provider in the URL is invalid, or the provider settings are disabled.'
  const at = (path: string) => `${serviceStack.auth}${path}${new URL(address()).search}`
  test.each<[string, string, () => string]>([
    ['an unknown account', siteInvalid, () => at(`/unknown/${site.site_id}/messaging/authenticate`)],
    ['an unknown site', siteInvalid, () => at(`/${site.account}/unknown/messaging/authenticate`)],
    ['a NUL in the path', siteInvalid, () => at(`/${site.account}/%00/messaging/authenticate`)],
    ['an unknown provider', siteInvalid, () => at(`/${site.account}/${site.site_id}/unknown/authenticate`)],
    [
      'a provider that is not configured',
      siteInvalid,
      () => at(`/${site.account}/${site.site_id}/shopping/authenticate`),
    ],
    ['no callback', 'callback is invalid.', () => address({ callback: undefined })],
    ['another site’s callback', 'callback is invalid.', () => address({ callback: other.client.redirect_uri })],
    ['a repeated state', 'The parameters cannot be read', () => `${address()}&state=x`],
    ['a repeated callback', 'The parameters cannot be read', () => `${address()}&callback=x`],
    ['a state that is too long', 'The parameters cannot be read', () => address({ state: 'x'.repeat(2_049) })],
    ['a broken escape', 'The parameters cannot be read', () => `${address()}&x=%zz`],
  ])('for %s', async (_, message, wrong) => {
    const response = await fetch(wrong(), { redirect: 'manual' })
    expect(response.status).toBe(400)
    expect(response.headers.get('location')).toBeNull()
    expect(response.headers.getSetCookie()).toEqual([])
    expect(await response.text()).toContain(`<p class="message">${message}`)
  })

  test.each([
    'https://shop.example.com/callback/',
    'https://shop.example.com/Callback',
    'https://shop.example.com/callback?x=1',
    'https://shop.example.com/callback#x',
    'https://shop.example.com:443/callback',
    'https://shop.example.com@evil.example/callback',
    'http://shop.example.com/callback',
    'https://shop.example.com:8443/Callback/?keep=~1',
    'javascript:alert(1)',
  ])('for a callback that is similar to a registered one: %s', async (callback) => {
    const response = await fetch(address({ callback }), { redirect: 'manual' })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('callback is invalid.')
  })

  test('for disabled settings', async () => {
    const shop = await seedSite(serviceStack)
    const names = { site: shop.site, account: shop.account, site_id: shop.site_id, client_id: 'c', client_secret: 's' }
    const disabled = { ...names, provider: 'search', enabled: false } as const
    await serviceStack.provider_auth.saveProviderSettings(disabled, serviceStack.call())
    const response = await fetch(buildAuthenticateUrl(serviceStack, shop, 'search'), { redirect: 'manual' })
    expect(response.status).toBe(400)
  })
})

test.each(['POST', 'HEAD', 'PUT'])('405 for %s', async (method) => {
  const response = await fetch(address(), { method, redirect: 'manual' })
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe('GET')
})
