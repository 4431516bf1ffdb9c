import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createLogger } from '#runtime'
import { readLinkData, seedSite } from '#testing'
import type { ProviderTokens } from '../domain/credential.ts'
import { type ProviderClient, ReauthenticationRequired } from '../domain/provider-client.ts'
import type { SiteProviderSettings } from '../domain/provider-settings.ts'
import type { AdapterDeps } from '../upstream/providers/adapter.ts'
import { builtInKey } from '../upstream/providers/index.ts'
import { connectOAuth2 } from '../upstream/providers/oauth2.ts'
import { createAddressMapper } from '../upstream/providers/simulator-address.ts'
import { applicationOf } from './application.ts'
import {
  buildAuthorizeUrl,
  getLocation,
  hiddenFields,
  logInWith,
  openRedirect,
  openTestBrowser,
  submitProviderSignIn,
} from './browser.ts'
import { describedLogin } from './described-login.ts'
import { createSiteFixture } from './site-fixture.ts'

const { serviceStack, site, application } = createSiteFixture()

async function tokensOf(identifier: string): Promise<ProviderTokens> {
  const input = { site: site.site, identifier }
  const { credentials } = await readLinkData(serviceStack, input)
  if (credentials.social === undefined) throw new Error('No credential is stored.')
  const { access_token, access_secret, refresh_token, expires_at } = credentials.social
  return { access_token, access_secret, refresh_token, expires_at: expires_at === null ? null : new Date(expires_at) }
}

async function logInAs(user: string, changes: Record<string, string> = {}, at = site): Promise<string> {
  const callback = await logInWith(at, 'social', { user, parameters: changes })
  return applicationOf(serviceStack, at).userOf(callback)
}

async function readProfile(identifier: string, at = site) {
  return serviceStack.profile.readProfile({ site: at.site, identifier }, serviceStack.call())
}

const Inspected = z.object({ data: z.object({ is_valid: z.boolean(), scopes: z.array(z.string()) }) })

/** The Graph API's data about a valid token; undefined for an invalid one. */
async function inspect(accessToken: string | null) {
  const { client_id, client_secret } = site.providers.social
  const query = new URLSearchParams({
    input_token: accessToken ?? '',
    access_token: `${client_id}|${client_secret}`,
  })
  const response = await fetch(`${serviceStack.simulator}/social/debug_token?${query}`)
  const { data } = Inspected.parse(await response.json())
  return data.is_valid ? data : undefined
}

describe('the provider’s authorization URL', () => {
  const openProviderUrl = async (changes: Record<string, string> = {}, at = site) =>
    new URL(await openRedirect(openTestBrowser(), buildAuthorizeUrl(at, 'social', changes)))

  test('has its version in the path, scopes separated by commas, and neither nonce nor challenge', async () => {
    const { pathname, searchParams } = await openProviderUrl()
    expect(pathname).toBe('/social/v26.0/dialog/oauth')
    expect(Object.fromEntries(searchParams)).toEqual({
      response_type: 'code',
      client_id: site.providers.social.client_id,
      redirect_uri: site.providers.social.provider_callback,
      scope: 'public_profile,email',
      state: expect.stringMatching(/^[0-9a-f]{32}$/),
    })
  })

  test('requests no e-mail address unless the application requested it', async () => {
    expect((await openProviderUrl({ scope: 'openid' })).searchParams.get('scope')).toBe('public_profile')
  })

  test('requests reauthentication with the provider’s own parameters', async () => {
    expect((await openProviderUrl({ prompt: 'login' })).searchParams.get('auth_type')).toBe('reauthenticate')
    expect((await openProviderUrl()).searchParams.has('auth_type')).toBe(false)
  })

  test('requests the permissions for which the site was approved, and the profile has their items', async () => {
    const shop = await seedSite(serviceStack)
    const { site: number, account, site_id } = shop
    const { client_id, client_secret } = shop.providers.social
    await serviceStack.provider_auth.saveProviderSettings(
      {
        site: number,
        account,
        site_id,
        provider: 'social',
        client_id,
        client_secret,
        options: { permissions: 'user_birthday,user_hometown' },
      },
      serviceStack.call(),
    )
    expect((await openProviderUrl({}, shop)).searchParams.get('scope')).toBe(
      'public_profile,email,user_birthday,user_hometown',
    )
    const { profile } = await readProfile(await logInAs('Ada King', {}, shop), shop)
    expect(profile).toMatchObject({
      birthday: expect.stringMatching(/^19\d\d-\d\d-\d\d$/),
      hometown: expect.any(String),
      hometown_id: expect.stringMatching(/^\d+$/),
      location: null,
    })
  })
})

test('an end user who declines the e-mail address logs in without one, also later', async () => {
  const browser = openTestBrowser()
  const atProvider = await openRedirect(browser, buildAuthorizeUrl(site, 'social'))
  const fields = hiddenFields(await (await browser.open(atProvider)).text())
  const decision = { ...fields, user: 'Shy Person', decision: 'allow', option: 'yes' }
  const returned = getLocation(await browser.open(`${serviceStack.simulator}/sign-in`, decision))
  const identifier = await application.userOf(new URL(await openRedirect(browser, returned)))
  expect((await readProfile(identifier)).email).toEqual([])
  expect(await logInAs('Shy Person')).toBe(identifier)
  expect((await readProfile(identifier)).email).toEqual([])
})

test('an e-mail address of a login is not verified', async () => {
  const { email } = await readProfile(await logInAs('Ada King'))
  expect(email).toEqual([{ email: expect.stringContaining('@'), verified: false, media_id: 'social' }])
})

test('a login stores a token of about sixty days, although the code returned one of hours', async () => {
  const { access_token, expires_at } = await tokensOf(await logInAs('Long Liver'))
  const days = ((expires_at?.getTime() ?? 0) - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(59)
  expect(days).toBeLessThan(61)
  expect(await inspect(access_token)).toMatchObject({ scopes: ['public_profile', 'email'] })
})

test('an error of the provider with only a code is not a denial: server_error', async () => {
  const browser = openTestBrowser()
  const atProvider = await openRedirect(browser, buildAuthorizeUrl(site, 'social'))
  const { searchParams } = new URL(await submitProviderSignIn(browser, atProvider))
  const state = searchParams.get('state') ?? ''
  const received = new URLSearchParams({ error_code: '1349048', error_message: 'Can’t load URL', state })
  const callback = new URL(await openRedirect(browser, `${site.providers.social.provider_callback}?${received}`))
  expect(callback.searchParams.get('error')).toBe('server_error')
})

describe('stored tokens', () => {
  let settings: SiteProviderSettings
  let provider: Required<Pick<ProviderClient, 'refresh' | 'revoke'>>
  beforeAll(() => {
    const { site: number, account, site_id } = site
    const own = { ...builtInKey('social'), options: {}, official_account: false, enabled: true } as const
    settings = { site: number, account, site_id, ...own, ...site.providers.social }
    provider = connected(serviceStack.simulator)
  })

  function connected(simulatorUrl: string): typeof provider {
    const deps: AdapterDeps = {
      toAddress: createAddressMapper(simulatorUrl, 'social'),
      allowsHttp: true,
      fetch: (url, { method, headers, body = null }) => fetch(url, { method, headers, body, redirect: 'manual' }),
      logger: createLogger('test', 'silent'),
      skipProfile: () => undefined,
    }
    const { refresh, revoke } = connectOAuth2(describedLogin('social', 'oauth2'), {}, deps)
    if (refresh === undefined || revoke === undefined) throw new Error('The adapter can refresh and revoke.')
    return { refresh, revoke }
  }

  test('are exchanged while they are valid', async () => {
    const held = await tokensOf(await logInAs('Renewed'))
    const renewed = await provider.refresh(settings, held)
    expect(renewed).toEqual({
      access_token: expect.any(String),
      access_secret: null,
      refresh_token: null,
      expires_at: expect.any(Date),
    })
    expect(await inspect(renewed.access_token)).toBeDefined()
  })

  test.each<[string, (held: ProviderTokens) => ProviderTokens]>([
    ['have ended', (held) => ({ ...held, expires_at: new Date(0) })],
    ['are not taken any more', (held) => ({ ...held, access_token: 'revoked' })],
    ['are none', (held) => ({ ...held, access_token: null })],
  ])('require reauthentication if they %s', async (_, change) => {
    const held = await tokensOf(await logInAs('Renewed'))
    await expect(provider.refresh(settings, change(held))).rejects.toBeInstanceOf(ReauthenticationRequired)
  })

  test('stay after an error that is not about them', async () => {
    const held = await tokensOf(await logInAs('Renewed'))
    const wrong = { ...settings, client_secret: 'wrong' }
    await expect(provider.refresh(wrong, held)).rejects.toThrow('The provider responded with OAuthException_1.')
    await expect(connected('http://localhost:9').refresh(settings, held)).rejects.not.toBeInstanceOf(
      ReauthenticationRequired,
    )
  })

  test('are revoked at the provider with all permissions, and repeating it is no error', async () => {
    const held = await tokensOf(await logInAs('Leaver'))
    await provider.revoke(settings, held)
    expect(await inspect(held.access_token)).toBeUndefined()
    await provider.revoke(settings, held)
    await provider.revoke(settings, { ...held, access_token: null })
    expect(await logInAs('Leaver')).toMatch(/^[0-9a-f]{40}$/)
  })

  test('are revoked again later if the provider does not respond or returns an error', async () => {
    const held = await tokensOf(await logInAs('Leaver'))
    await expect(connected('http://localhost:9').revoke(settings, held)).rejects.toThrow()
    await expect(provider.revoke({ ...settings, client_secret: 'wrong' }, held)).rejects.toThrow(
      'GraphMethodException_100',
    )
    expect(await inspect(held.access_token)).toBeDefined()
  })
})
