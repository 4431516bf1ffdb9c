import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { builtInLoginProviders } from '#contracts'
import { openForTest, readLinkData, registerAtSimulator, seedSite } from '#testing'
import { applicationOf } from './application.ts'
import {
  buildAuthorizeUrl,
  getDenialError,
  logIn,
  logInWith,
  openRedirect,
  openTestBrowser,
  type ProviderName,
  submitProviderSignIn,
  type TestBrowser,
} from './browser.ts'
import { createSiteFixture } from './site-fixture.ts'

const { serviceStack, site, application } = createSiteFixture()

async function userOf(identifier: string) {
  return (await serviceStack.identity.resolveUser({ site: site.site, identifier }, serviceStack.call())).user
}

async function countUsers(): Promise<number> {
  await using identity = openForTest(serviceStack.database_urls.identity)
  const [row] = await identity.knex('users').where({ site: site.site }).count<{ count: number }[]>()
  return Number(row?.count)
}

describe.each(builtInLoginProviders)('a login through %s', (provider) => {
  test('returns a code, tokens for the code, and the end user’s profile for the tokens', async () => {
    const parameters = { nonce: 'nonce-of-the-application' }
    const callback = await logInWith(site, provider, { user: 'Ada King', parameters })
    expect(`${callback.origin}${callback.pathname}`).toBe(site.client.redirect_uri)
    expect(Object.fromEntries(callback.searchParams)).toEqual({
      code: expect.stringMatching(/^slac_[\w-]{43}$/),
      state: 'state-of-the-application',
      iss: serviceStack.auth,
    })
    expect(callback.hash).toBe('')

    const { id_token, access_token } = await application.redeem(callback)
    const claims = await application.verify(id_token)
    expect(claims).toMatchObject({
      sub: expect.stringMatching(/^[0-9a-f]{40}$/),
      nonce: 'nonce-of-the-application',
      provider,
      provider_uid: expect.any(String),
    })
    expect(claims).not.toHaveProperty('name')
    expect(await application.userinfo(access_token)).toMatchObject({
      sub: claims.sub,
      provider,
      name: 'Ada King',
      email: expect.stringContaining('@'),
      email_verified: ['portal', 'search', 'device', 'microblog'].includes(provider),
    })
  })

  test('by the same end user again is the same user, counted twice', async () => {
    const first = await application.userOf(await logInWith(site, provider, { user: 'Twice' }))
    const again = await application.userOf(await logInWith(site, provider, { user: 'Twice' }))
    expect(again).toBe(first)
    expect(await userOf(first)).toMatchObject({ login_count: 2, last_logged_in_provider: provider })
  })

  test('denied by the end user returns the provider\u2019s error and the state, and stores nothing', async () => {
    const before = await countUsers()
    const callback = await logInWith(site, provider, { decision: 'deny' })
    expect(Object.fromEntries(callback.searchParams)).toEqual({
      error: getDenialError(provider),
      state: 'state-of-the-application',
      iss: serviceStack.auth,
    })
    expect(await countUsers()).toBe(before)
  })

  test('in the ID Token flow returns a token with the claims in the fragment, and nothing in the query', async () => {
    const parameters = { response_type: 'id_token', nonce: 'n-1' }
    const callback = await logInWith(site, provider, { user: 'Front Channel', parameters })
    expect(callback.search).toBe('')
    const { id_token, ...rest } = Object.fromEntries(new URLSearchParams(callback.hash.slice(1)))
    expect(rest).toEqual({ state: 'state-of-the-application', iss: serviceStack.auth })
    expect(await application.verify(id_token ?? '')).toMatchObject({
      nonce: 'n-1',
      name: 'Front Channel',
      email: expect.stringContaining('@'),
      provider,
    })
  })

  test('denied in the ID Token flow returns the error in the fragment', async () => {
    const parameters = { response_type: 'id_token', nonce: 'n-1' }
    const callback = await logInWith(site, provider, { decision: 'deny', parameters })
    expect(callback.search).toBe('')
    expect(new URLSearchParams(callback.hash.slice(1)).get('error')).toBe(getDenialError(provider))
  })

  test('in five tabs at once, without any cookie at the start, finished in reverse order, completes in each', async () => {
    const browser = openTestBrowser()
    const names = ['tab 1', 'tab 2', 'tab 3', 'tab 4', 'tab 5']
    const tabs = await Promise.all(
      names.map(async (state) => ({
        state,
        at_provider: await openRedirect(browser, buildAuthorizeUrl(site, provider, { state })),
      })),
    )
    for (const { state, at_provider } of tabs.reverse()) {
      const callback = new URL(
        await openRedirect(browser, await submitProviderSignIn(browser, at_provider, { user: state })),
      )
      expect(callback.searchParams.get('state')).toBe(state)
      expect(callback.searchParams.has('code')).toBe(true)
    }
    expect([...browser.cookies.keys()].filter((name) => !name.startsWith('returned-'))).toEqual([
      expect.stringMatching(/^session-[0-9a-f]{12}$/),
    ])
  })

  // identity decides the race, and its tests run fifty. Fifty here exceed a login's deadline on a busy machine.
  test('ten first logins of one account whose callbacks arrive at once create one user', async () => {
    const atOnce = 10
    const pending: Array<{ browser: TestBrowser; callback: string }> = []
    for (let n = 0; n < atOnce; n++) {
      const browser = openTestBrowser()
      const atProvider = await openRedirect(browser, buildAuthorizeUrl(site, provider))
      pending.push({ browser, callback: await submitProviderSignIn(browser, atProvider, { user: 'Many At Once' }) })
    }
    const callbacks = await Promise.all(
      pending.map(async ({ browser, callback }) => new URL(await openRedirect(browser, callback))),
    )
    const users = new Set<string>()
    for (const callback of callbacks) users.add(await application.userOf(callback))
    expect(users.size).toBe(1)
    const [identifier = ''] = users
    expect(await userOf(identifier)).toMatchObject({ login_count: atOnce })
  })

  test('with S256 returns a code that only the verifier redeems', async () => {
    const codeVerifier = randomBytes(32).toString('base64url')
    const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')
    const address = buildAuthorizeUrl(site, provider, {
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    })
    const callback = await logIn(openTestBrowser(), address)
    const { id_token } = await application.redeem(callback, { code_verifier: codeVerifier })
    expect(await application.verify(id_token)).toHaveProperty('sub')
    await expect(application.redeem(await logIn(openTestBrowser(), address))).rejects.toThrow()
  })

  test('by an authorization request sent by POST (OpenID Connect Core 3.1.2.1) is the same', async () => {
    const browser = openTestBrowser()
    const address = new URL(buildAuthorizeUrl(site, provider))
    const form = Object.fromEntries(address.searchParams)
    const response = await browser.open(address.origin + address.pathname, form)
    const callback = await submitProviderSignIn(browser, response.headers.get('location') ?? '')
    expect(new URL(await openRedirect(browser, callback)).searchParams.has('code')).toBe(true)
  })

  test('stores the provider\u2019s tokens', async () => {
    const identifier = await application.userOf(await logInWith(site, provider))
    const input = { site: site.site, identifier }
    const { credentials } = await readLinkData(serviceStack, input)
    const aToken = expect.stringMatching(/.{16}/)
    const refreshToken = provider === 'social' ? null : aToken
    const ofOauth2 = { access_secret: null, refresh_token: refreshToken, expires_at: expect.stringMatching(/Z$/) }
    const ofOauth1 = { access_secret: aToken, refresh_token: null, expires_at: null }
    expect(credentials).toEqual({
      [provider]: {
        access_token: aToken,
        ...(provider === 'microblog' ? ofOauth1 : ofOauth2),
        client_access_token: null,
        client_access_secret: null,
        client_refresh_token: null,
        client_expires_at: null,
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
      },
    })
  })

  test('stores the profile before it completes', async () => {
    const callback = await logInWith(site, provider, { user: 'Grace Hopper' })
    const input = { site: site.site, identifier: await application.userOf(callback) }
    const { profile, email } = await serviceStack.profile.readProfile(input, serviceStack.call())
    const name = provider === 'messaging' ? { user_name: 'Grace Hopper' } : { full_name: 'Grace Hopper' }
    expect(profile).toMatchObject({ ...name, image_url: provider === 'device' ? null : expect.stringMatching(/^http/) })
    expect(email).toEqual([expect.objectContaining({ media_id: provider })])
  })
})

test('accounts of the same name at several providers are separate users', async () => {
  const users = await Promise.all(
    builtInLoginProviders.map(async (provider) =>
      application.userOf(await logInWith(site, provider, { user: 'Same Name' })),
    ),
  )
  expect(new Set(users).size).toBe(builtInLoginProviders.length)
})

describe('portal', () => {
  test('an end user who denies returns with neither code nor error', async () => {
    const browser = openTestBrowser()
    const atProvider = await openRedirect(browser, buildAuthorizeUrl(site, 'portal'))
    expect(new URL(atProvider).searchParams.get('bail')).toBe('1')
    const returned = new URL(await submitProviderSignIn(browser, atProvider, { decision: 'deny' }))
    expect([...returned.searchParams.keys()]).toEqual(['state'])
    const callback = new URL(await openRedirect(browser, returned.href))
    expect(callback.searchParams.get('error')).toBe('access_denied')
  })

  test('an application without permission for userinfo logs end users in without a profile', async () => {
    const shop = await seedSite(serviceStack)
    const { client_id, client_secret, provider_callback } = shop.providers.portal
    const knownAs = { provider: 'portal', client_id, client_secret, redirect_uris: [provider_callback] } as const
    await registerAtSimulator(serviceStack.simulator, { ...knownAs, userinfo_approved: false })
    const callback = await logInWith(shop, 'portal', { user: 'Unknown User' })
    const identifier = await applicationOf(serviceStack, shop).userOf(callback)
    const { profile, email } = await serviceStack.profile.readProfile(
      { site: shop.site, identifier },
      serviceStack.call(),
    )
    expect({ name: profile.full_name, image: profile.image_url, email }).toEqual({ name: null, image: null, email: [] })
  })

  test('IDs and secrets with characters that other providers percent-encode are sent unchanged', async () => {
    const shop = await seedSite(serviceStack)
    const { site: number, account, site_id } = shop
    const names = { site: number, account, site_id, provider: 'portal' } as const
    const knownAs = { client_id: 'dj00aiZpPTEyMyZzPWNvbg-.~', client_secret: "+%2B/secret'(of)*ours!~" }
    const saved = await serviceStack.provider_auth.saveProviderSettings({ ...names, ...knownAs }, serviceStack.call())
    const redirectUris = [saved.provider_callback]
    await registerAtSimulator(serviceStack.simulator, {
      provider: 'portal',
      ...knownAs,
      redirect_uris: redirectUris,
    })
    const callback = await logInWith(shop, 'portal')
    expect(callback.searchParams.has('code')).toBe(true)
  })

  test('a profile in kanji has family and given name in the Japanese order, and its address', async () => {
    const parameters = { scope: 'openid profile email address' }
    const callback = await logInWith(site, 'portal', { user: '山田 太郎', parameters })
    const input = { site: site.site, identifier: await application.userOf(callback) }
    const { profile } = await serviceStack.profile.readProfile(input, serviceStack.call())
    expect(profile).toMatchObject({
      full_name_kanji: '山田 太郎',
      last_name_kanji: '山田',
      first_name_kanji: '太郎',
      full_name_kana: null,
      birthday: null,
      gender: expect.any(Number),
      prefecture: expect.any(String),
    })
  })
})

test('a refresh token issued only at the first consent stays at later logins', async () => {
  const login = () => logInWith(site, 'search', { user: 'Refreshed Once' })
  const read = async (identifier: string) => {
    const { credentials } = await readLinkData(serviceStack, { site: site.site, identifier })
    return credentials.search
  }
  const first = await read(await application.userOf(await login()))
  const second = await read(await application.userOf(await login()))
  expect(second?.refresh_token).toBe(first?.refresh_token)
  expect(second?.access_token).not.toBe(first?.access_token)
})

test('messaging sends the friendship status at login', async () => {
  const callback = await logInWith(site, 'messaging', { user: 'No Friend' })
  const input = { site: site.site, identifier: await application.userOf(callback) }
  expect((await readLinkData(serviceStack, input)).friend).toEqual({
    friendship_status: false,
    friendship_status_updated_at: expect.stringMatching(/Z$/),
  })
})

describe('the provider’s authorization URL', () => {
  const own = { prompt: 'consent', bot_prompt: 'aggressive', disable_auto_login: 'true' }
  const readProviderParameters = async (provider: ProviderName, changes: Record<string, string>) =>
    new URL(await openRedirect(openTestBrowser(), buildAuthorizeUrl(site, provider, changes))).searchParams

  test('has the parameters that messaging supports, and no other parameter of the application', async () => {
    const parameters = Object.fromEntries(
      await readProviderParameters('messaging', { ...own, ui_locales: 'ja', extra: 'x' }),
    )
    expect(parameters).toEqual({
      ...own,
      ui_locales: 'ja',
      response_type: 'code',
      client_id: site.providers.messaging.client_id,
      redirect_uri: site.providers.messaging.provider_callback,
      scope: 'openid profile email',
      state: expect.stringMatching(/^[0-9a-f]{32}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
  })

  test('of another provider has none of them', async () => {
    const parameters = await readProviderParameters('search', own)
    for (const name of Object.keys(own)) expect(parameters.has(name)).toBe(false)
    expect(parameters.get('access_type')).toBe('offline')
  })

  test('has the hint about the end user if the provider takes one', async () => {
    const hints = { login_hint: 'hanako@example.com', ui_locales: 'ja' }
    const hintsAt = async (provider: ProviderName) => {
      const parameters = await readProviderParameters(provider, hints)
      return [parameters.get('login_hint'), parameters.get('ui_locales')]
    }
    expect(await hintsAt('search')).toEqual(['hanako@example.com', null])
    expect(await hintsAt('messaging')).toEqual([null, 'ja'])
    expect(await hintsAt('social')).toEqual([null, null])
  })

  test('has no bot_prompt without an official account, because the login would fail', async () => {
    const shop = await seedSite(serviceStack)
    const { site: number, account, site_id } = shop
    const names = { site: number, account, site_id, provider: 'messaging', client_id: 'c', client_secret: 's' } as const
    await serviceStack.provider_auth.saveProviderSettings({ ...names, official_account: false }, serviceStack.call())
    const atProvider = new URL(await openRedirect(openTestBrowser(), buildAuthorizeUrl(shop, 'messaging', own)))
    expect(atProvider.searchParams.has('bot_prompt')).toBe(false)
    expect(atProvider.searchParams.get('disable_auto_login')).toBe('true')
  })

  test('requests no e-mail address unless the application requested it', async () => {
    expect((await readProviderParameters('search', { scope: 'openid' })).get('scope')).toBe('openid profile')
  })

  test('has a new state, nonce and challenge each time', async () => {
    const [a, b] = await Promise.all([readProviderParameters('search', {}), readProviderParameters('search', {})])
    for (const name of ['state', 'nonce', 'code_challenge']) expect(a.get(name)).not.toBe(b.get(name))
  })
})
