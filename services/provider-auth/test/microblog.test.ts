import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLogger } from '#runtime'
import { readLinkData, registerAtSimulator, type SeededSite, seedSite } from '#testing'
import type { ProviderTokens } from '../domain/credential.ts'
import { ReauthenticationRequired } from '../domain/provider-client.ts'
import type { SiteProviderSettings } from '../domain/provider-settings.ts'
import { createHttpClient, type HttpClient } from '../upstream/http-client/index.ts'
import { builtInKey, connectProviders } from '../upstream/providers/index.ts'
import { createLoginUsage } from '../usage/login-usage.ts'
import { applicationOf } from './application.ts'
import {
  buildAuthorizeUrl,
  logIn,
  logInWith,
  openRedirect,
  openTestBrowser,
  submitProviderSignIn,
  type TestBrowser,
} from './browser.ts'
import { createSiteFixture } from './site-fixture.ts'

const { serviceStack, site } = createSiteFixture()
const { site: oauth2Site } = createSiteFixture({ microblog_protocol: 'oauth2' })

const serverError = { error: 'server_error', error_description: 'Internal server error.' }
const received = (parameters: object) => ({
  ...parameters,
  state: 'state-of-the-application',
  iss: serviceStack.auth,
})

/** Completes a login; returns the user and the tokens. */
async function logInAs(user: string, shop: SeededSite, changes: Record<string, string> = {}) {
  const callback = await logInWith(shop, 'microblog', { user, parameters: changes })
  const identifier = await applicationOf(serviceStack, shop).userOf(callback)
  const input = { site: shop.site, identifier }
  const [{ credentials }, supplied] = await Promise.all([
    readLinkData(serviceStack, input),
    serviceStack.profile.readProfile(input, serviceStack.call()),
  ])
  if (credentials.microblog === undefined) throw new Error('No tokens.')
  const { access_token, access_secret, refresh_token, expires_at } = credentials.microblog
  const ends = expires_at === null ? null : new Date(expires_at)
  const held: ProviderTokens = { access_token, access_secret, refresh_token, expires_at: ends }
  return { identifier, held, ...supplied }
}

describe.each([
  ['OAuth 1.0a', () => site],
  ['OAuth 2.0', () => oauth2Site],
])('a login by %s', (_, shop) => {
  test('supplies profile, follower counts and a verified e-mail', async () => {
    const { profile, follow, email } = await logInAs('Ada King', shop())
    expect(profile).toMatchObject({
      full_name: 'Ada King',
      user_name: expect.stringMatching(/^AdaKing_/),
      uri: [`https://x.com/${profile.user_name}`],
      website: [expect.stringMatching(/^https:\/\/blog\.example\//)],
      bio: expect.any(String),
      location: expect.any(String),
      image_url: expect.stringMatching(/\.svg$/),
      verified: false,
    })
    expect(follow).toEqual({ followed_by: expect.any(Number), following: expect.any(Number) })
    expect(email).toEqual([
      { email: expect.stringMatching(/@microblog\.example$/), verified: true, media_id: 'microblog' },
    ])
  })

  test('that requests no e-mail address gets none', async () => {
    const { profile, email } = await logInAs('No Mail', shop(), { scope: 'openid profile' })
    expect({ name: profile.full_name, email }).toEqual({ name: 'No Mail', email: [] })
  })

  test('denied by the end user returns access_denied, and a second attempt succeeds', async () => {
    const browser = openTestBrowser()
    const address = buildAuthorizeUrl(shop(), 'microblog')
    const denied = await logIn(browser, address, { decision: 'deny' })
    expect(Object.fromEntries(denied.searchParams)).toEqual(received({ error: 'access_denied' }))
    expect((await logIn(browser, address)).searchParams.has('code')).toBe(true)
  })

  test('with wrong credentials of the application is server_error, without the provider’s description', async () => {
    const wrong = await seedSite(serviceStack, shop() === site ? {} : { microblog_protocol: 'oauth2' })
    const { client_id, provider_callback } = wrong.providers.microblog
    const knownAs = { provider: 'microblog', client_id, redirect_uris: [provider_callback] } as const
    await registerAtSimulator(serviceStack.simulator, { ...knownAs, client_secret: 'another' })
    const browser = openTestBrowser()
    let location = await openRedirect(browser, buildAuthorizeUrl(wrong, 'microblog'))
    if (location.startsWith(serviceStack.simulator)) {
      location = await openRedirect(browser, await submitProviderSignIn(browser, location))
    }
    expect(Object.fromEntries(new URL(location).searchParams)).toEqual(received(serverError))
  })
})

test('an end user is the same user with either protocol', async () => {
  const shop = await seedSite(serviceStack)
  const first = await logInAs('Same Person', shop)
  const { client_id, client_secret } = shop.providers.microblog
  const { site: number, account, site_id } = shop
  const names = { site: number, account, site_id, provider: 'microblog' } as const
  const settings = { ...names, client_id, client_secret, options: { protocol: 'oauth2' } }
  await serviceStack.provider_auth.saveProviderSettings(settings, serviceStack.call())
  const second = await logInAs('Same Person', shop)
  expect(second.identifier).toBe(first.identifier)
  expect(second.held).toMatchObject({ access_secret: null, refresh_token: expect.any(String) })
})

describe('by OAuth 1.0a', () => {
  test('the provider’s authorization URL has only the request token; the login’s state is in the callback', async () => {
    const browser = openTestBrowser()
    const atProvider = new URL(await openRedirect(browser, buildAuthorizeUrl(site, 'microblog')))
    expect(atProvider.pathname).toBe('/microblog/oauth/authenticate')
    expect([...atProvider.searchParams.keys()]).toEqual(['oauth_token'])
    const callback = new URL(await submitProviderSignIn(browser, atProvider.href))
    expect(callback.origin + callback.pathname).toBe(site.providers.microblog.provider_callback)
    expect(Object.fromEntries(callback.searchParams)).toEqual({
      state: expect.stringMatching(/^[0-9a-f]{32}$/),
      oauth_token: atProvider.searchParams.get('oauth_token'),
      oauth_verifier: expect.any(String),
    })
  })

  test.each(['login', 'select_account'])('prompt=%s makes the end user sign in again', async (prompt) => {
    const atProvider = new URL(await openRedirect(openTestBrowser(), buildAuthorizeUrl(site, 'microblog', { prompt })))
    expect(atProvider.searchParams.get('force_login')).toBe('true')
  })

  test('an application whose plan does not include version 1.1 logs end users in with version 2', async () => {
    const shop = await seedSite(serviceStack)
    const { client_id, client_secret, provider_callback } = shop.providers.microblog
    const knownAs = { provider: 'microblog', client_id, client_secret, redirect_uris: [provider_callback] } as const
    await registerAtSimulator(serviceStack.simulator, { ...knownAs, api_v1: false })
    const { profile, email } = await logInAs('Version Two', shop)
    expect({ name: profile.full_name, verified: email[0]?.verified }).toEqual({ name: 'Version Two', verified: true })
  })

  describe('a callback is bound to the login and browser that started it', () => {
    /** A login that has reached the callback, which is not opened yet. */
    async function signInAtProvider(user: string, browser: TestBrowser = openTestBrowser()) {
      const callback = new URL(
        await submitProviderSignIn(browser, await openRedirect(browser, buildAuthorizeUrl(site, 'microblog')), {
          user,
        }),
      )
      const put = (from: URL, ...names: string[]) => {
        const mixed = new URL(callback)
        for (const name of names) mixed.searchParams.set(name, from.searchParams.get(name) ?? '')
        return mixed.href
      }
      return { browser, callback, put }
    }

    test.each([
      ['the request token and verifier of another', ['oauth_token', 'oauth_verifier']],
      ['the request token of another', ['oauth_token']],
      ['the verifier of another', ['oauth_verifier']],
    ])('with %s login it is server_error', async (_, names) => {
      const [mine, others] = [await signInAtProvider('Victim'), await signInAtProvider('Mallory')]
      const location = new URL(await openRedirect(mine.browser, mine.put(others.callback, ...names)))
      expect(Object.fromEntries(location.searchParams)).toEqual(received(serverError))
    })

    test('of another end user’s login it is a page in a browser that has a login of its own', async () => {
      const [mine, others] = [await signInAtProvider('Victim'), await signInAtProvider('Mallory')]
      for (const address of [others.callback.href, mine.put(others.callback, 'state')]) {
        const response = await mine.browser.open(address)
        expect({ status: response.status, location: response.headers.get('location') }).toEqual({
          status: 400,
          location: null,
        })
      }
    })

    test('swapped between two tabs of one browser it is server_error in both', async () => {
      const browser = openTestBrowser()
      const [one, two] = [await signInAtProvider('Tab One', browser), await signInAtProvider('Tab Two', browser)]
      for (const address of [
        one.put(two.callback, 'oauth_token', 'oauth_verifier'),
        two.put(one.callback, 'oauth_token', 'oauth_verifier'),
      ]) {
        const location = new URL(await openRedirect(browser, address))
        expect(Object.fromEntries(location.searchParams)).toEqual(received(serverError))
      }
    })

    test('without state it is a page', async () => {
      const { browser, callback } = await signInAtProvider('Victim')
      callback.searchParams.delete('state')
      expect((await browser.open(callback.href)).status).toBe(400)
    })

    test('a request token of another browser is rejected, even if the end user consented to it', async () => {
      const mallory = openTestBrowser()
      const fixed = await openRedirect(mallory, buildAuthorizeUrl(site, 'microblog'))
      const victim = openTestBrowser()
      const callback = await submitProviderSignIn(victim, fixed, { user: 'Victim' })
      expect((await victim.open(callback)).status).toBe(400)
      expect((await mallory.open(callback)).status).toBe(400)
    })
  })
})

describe('afterwards', () => {
  const logger = createLogger('test', 'silent')
  let httpClient: HttpClient

  beforeAll(() => {
    const simulatorUrl = serviceStack.simulator
    httpClient = createHttpClient({
      isPrivateAllowed: () => false,
      simulatorUrl,
      circuitOpenMs: 0,
      usage: createLoginUsage(),
      logger,
      registry: new Registry(),
    })
  })
  afterAll(() => httpClient[Symbol.asyncDispose]())

  const provider = () => {
    const find = connectProviders({
      simulatorUrl: serviceStack.simulator,
      httpClient,
      logger,
      registry: new Registry(),
    })
    const found = find(builtInKey('microblog'))
    if (found?.refresh === undefined || found.revoke === undefined)
      throw new Error('The adapter can refresh and revoke.')
    return { refresh: found.refresh, revoke: found.revoke }
  }
  const settingsOf = (shop: SeededSite, protocol: 'oauth1' | 'oauth2'): SiteProviderSettings => {
    const { account, site_id } = shop
    const { login_provider_identifier, client_id, client_secret } = shop.providers.microblog
    return {
      site: shop.site,
      account,
      site_id,
      ...builtInKey('microblog'),
      login_provider_identifier,
      client_id,
      client_secret,
      options: { protocol },
      official_account: false,
      enabled: true,
    }
  }
  const me = async (accessToken: string | null) => {
    const headers = { authorization: `Bearer ${accessToken}` }
    return (await fetch(`${serviceStack.simulator}/microblog/2/users/me`, { headers })).status
  }

  test('OAuth 2.0: refreshed tokens replace the stored ones, including the refresh token, which can be used once', async () => {
    const settings = settingsOf(oauth2Site, 'oauth2')
    const { held } = await logInAs('Refreshed', oauth2Site)
    const fresh = await provider().refresh(settings, held)
    expect(fresh).toEqual({
      access_token: expect.stringMatching(/.{16}/),
      access_secret: null,
      refresh_token: expect.stringMatching(/.{16}/),
      expires_at: expect.any(Date),
    })
    expect(fresh.refresh_token).not.toBe(held.refresh_token)
    expect(await me(fresh.access_token)).toBe(200)
    await expect(provider().refresh(settings, held)).rejects.toThrow(ReauthenticationRequired)
    await provider().refresh(settings, fresh)
  })

  test('OAuth 2.0: a refresh that fails for another reason does not require reauthentication', async () => {
    const { held } = await logInAs('Refreshed Later', oauth2Site)
    const wrong = { ...settingsOf(oauth2Site, 'oauth2'), client_secret: 'wrong' }
    const failure = await provider()
      .refresh(wrong, held)
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Error)
    expect(failure).not.toBeInstanceOf(ReauthenticationRequired)
  })

  test('OAuth 2.0: revocation ends both tokens, and repeating it is no error', async () => {
    const settings = settingsOf(oauth2Site, 'oauth2')
    const { held } = await logInAs('Leaves Two', oauth2Site)
    await provider().revoke(settings, held)
    expect(await me(held.access_token)).toBe(401)
    await expect(provider().refresh(settings, held)).rejects.toThrow(ReauthenticationRequired)
    await provider().revoke(settings, held)
  })

  test('OAuth 1.0a: revocation invalidates the token, and repeating it is no error', async () => {
    const settings = settingsOf(site, 'oauth1')
    const { held } = await logInAs('Leaves One', site)
    expect((await logInAs('Leaves One', site)).held).toEqual(held)
    await provider().revoke(settings, held)
    await provider().revoke(settings, held)
    expect((await logInAs('Leaves One', site)).held.access_token).not.toBe(held.access_token)
  })

  test('OAuth 1.0a: a failed revocation is an error, so that it is retried', async () => {
    const { held } = await logInAs('Leaves Later', site)
    const wrong = { ...settingsOf(site, 'oauth1'), client_secret: 'wrong' }
    await expect(provider().revoke(wrong, held)).rejects.toThrow()
    expect((await logInAs('Leaves Later', site)).held).toEqual(held)
  })

  test('tokens of OAuth 1.0a stay valid after the site changes to OAuth 2.0', async () => {
    const settings = settingsOf(site, 'oauth2')
    const { held } = await logInAs('Switched', site)
    expect(await provider().refresh(settings, held)).toEqual(held)
    await provider().revoke(settings, held)
    expect((await logInAs('Switched', site)).held.access_token).not.toBe(held.access_token)
  })
})
