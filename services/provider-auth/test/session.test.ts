import { randomBytes } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { limits } from '#contracts'
import { createEncryptor, hashSecret, keyRing } from '#runtime'
import { inspectRedis, passClockSteps, seedSite, settled } from '#testing'
import { findSession, insertSession, isSessionExpired, type Session, touchSession } from '../store/sessions.ts'
import { applicationOf } from './application.ts'
import {
  buildAuthorizeUrl,
  getLocation,
  logIn,
  logInWith,
  openRedirect,
  openTestBrowser,
  type ProviderName,
  submitProviderSignIn,
} from './browser.ts'
import { createSiteFixture } from './site-fixture.ts'

const { serviceStack, site, application } = createSiteFixture()

type Fields = Readonly<Record<string, string | undefined>>
type TestBrowser = ReturnType<typeof openTestBrowser>

const providers: ProviderName[] = ['messaging', 'social', 'search']
const silent = { prompt: 'none' }
const sessionsOf = (browser: TestBrowser) => [...browser.cookies.keys()].filter((name) => name.startsWith('session-'))

/** A browser in which an end user has just logged in. */
async function loggedIn(provider: ProviderName, { user = 'Hanako', ...fields }: Fields & { user?: string } = {}) {
  const browser = openTestBrowser()
  const callback = await logInWith(site, provider, { browser, user, parameters: fields })
  const { id_token } = await application.redeem(callback)
  return { browser, id_token, claims: await application.verify(id_token) }
}

/** Sends an authorization request that redirects directly to the application; returns the parameters. */
async function authorize(browser: TestBrowser, provider: ProviderName, fields: Fields, at = site): Promise<URL> {
  const location = new URL(getLocation(await browser.open(buildAuthorizeUrl(at, provider, fields))))
  expect(location.origin + location.pathname).toBe(at.client.redirect_uri)
  return location
}

async function errorOf(browser: TestBrowser, provider: ProviderName, fields: Fields, at = site) {
  const { searchParams } = await authorize(browser, provider, fields, at)
  expect(searchParams.get('state')).toBe('state-of-the-application')
  expect(searchParams.get('iss')).toBe(serviceStack.auth)
  return searchParams.get('error')
}

describe.each(providers)('prompt=none at %s', (provider) => {
  test('login_required for a browser that has not logged in', async () => {
    expect(await errorOf(openTestBrowser(), provider, silent)).toBe('login_required')
  })

  test('login_required in the fragment in the ID Token flow', async () => {
    const { search, hash } = await authorize(openTestBrowser(), provider, {
      ...silent,
      response_type: 'id_token',
      nonce: 'n',
    })
    expect(search).toBe('')
    expect(new URLSearchParams(hash.slice(1)).get('error')).toBe('login_required')
  })

  test('after a login: a code, of the same user with the same auth_time and claims, and no login is counted', async () => {
    const { browser, claims } = await loggedIn(provider, { user: 'Silent' })
    const callback = await authorize(browser, provider, { ...silent, nonce: 'n-2' })
    const { id_token, access_token } = await application.redeem(callback)
    const { sub, auth_time, provider_uid } = claims
    expect(await application.verify(id_token)).toMatchObject({ sub, auth_time, provider, provider_uid, nonce: 'n-2' })
    expect(await application.userinfo(access_token)).toMatchObject({ sub, name: 'Silent' })
    const input = { site: site.site, identifier: sub ?? '' }
    const { user } = await serviceStack.identity.resolveUser(input, serviceStack.call())
    expect(user.login_count).toBe(1)
  })

  test('after a login: an ID Token, with only the claims of the requested scopes', async () => {
    const { browser, claims } = await loggedIn(provider, { user: 'Front' })
    const fields = { ...silent, response_type: 'id_token', nonce: 'n', scope: 'openid profile' }
    const { hash } = await authorize(browser, provider, fields)
    const token = await application.verify(new URLSearchParams(hash.slice(1)).get('id_token') ?? '')
    expect(token).toMatchObject({ sub: claims.sub, auth_time: claims.auth_time, name: 'Front', nonce: 'n' })
    expect(token).not.toHaveProperty('email')
  })

  test('interaction_required for a scope that no earlier login requested', async () => {
    const { browser } = await loggedIn(provider, { scope: 'openid' })
    expect(await errorOf(browser, provider, { ...silent, scope: 'openid email' })).toBe('interaction_required')
  })

  test('login_required when the login is older than max_age', async () => {
    const { browser } = await loggedIn(provider)
    expect(await errorOf(browser, provider, { ...silent, max_age: '0' })).toBe('login_required')
    expect(await errorOf(browser, provider, { ...silent, max_age: '10000' })).toBeNull()
  })

  test('login_required after the user was deleted', async () => {
    const { browser, claims } = await loggedIn(provider, { user: `Deleted ${provider}` })
    const { identity, call } = serviceStack
    await identity.deleteUser({ site: site.site, identifier: claims.sub ?? '' }, call())
    expect(await errorOf(browser, provider, silent)).toBe('login_required')
  })

  test('login_required after the provider was unlinked, also when it was linked again elsewhere', async () => {
    const { browser, claims } = await loggedIn(provider, { user: `Unlinked ${provider}` })
    const user = { site: site.site, identifier: claims.sub ?? '' }
    const { identity, call } = serviceStack
    await identity.unlinkProviders({ ...user, providers: [provider], nowarn: true, nomerge: false }, call())
    expect(await errorOf(browser, provider, silent)).toBe('login_required')
    await settled(serviceStack)
    await loggedIn(provider, { user: `Unlinked ${provider}` })
    expect(await errorOf(browser, provider, silent)).toBe('login_required')
  })

  test('login_required for a user who was merged into another', async () => {
    const source = await loggedIn(provider, { user: `Source ${provider}` })
    const other = provider === 'search' ? 'messaging' : 'search'
    const destination = await loggedIn(other, { user: `Destination ${provider}` })
    const ids = {
      source: { identifier: source.claims.sub ?? '' },
      destination: { identifier: destination.claims.sub ?? '' },
    }
    const { identity, call } = serviceStack
    await identity.mergeUsers({ site: site.site, ...ids, nomerge: false }, call())
    expect(await errorOf(source.browser, provider, silent)).toBe('login_required')
    expect(await errorOf(destination.browser, other, silent)).toBeNull()
  })
})

test('a session with one site is not valid at another, even under the name of the other site\u2019s cookie', async () => {
  const other = await seedSite(serviceStack)
  const { browser } = await loggedIn('search')
  expect(await errorOf(browser, 'search', silent, other)).toBe('login_required')
  const token = browser.cookies.get(sessionsOf(browser)[0] ?? '')
  await logInWith(other, 'search', { browser })
  const names = sessionsOf(browser)
  expect(names).toHaveLength(2)
  browser.cookies.set(names[1] ?? '', token ?? '')
  expect(await errorOf(browser, 'search', silent, other)).toBe('login_required')
  expect(await errorOf(browser, 'search', silent)).toBeNull()
})

test('a session through one provider is not valid at the URL of another', async () => {
  const { browser } = await loggedIn('search')
  expect(await errorOf(browser, 'messaging', silent)).toBe('login_required')
})

test('every login issues a new token; earlier and foreign tokens are invalid', async () => {
  const { browser } = await loggedIn('search', { user: 'Renewed' })
  const [[name, first] = ['', '']] = browser.cookies
  await logInWith(site, 'search', { browser, user: 'Renewed' })
  expect(sessionsOf(browser)).toEqual([name])
  expect(browser.cookies.get(name)).not.toBe(first)
  const thief = openTestBrowser()
  thief.cookies.set(name, first)
  expect(await errorOf(thief, 'search', silent)).toBe('login_required')
  thief.cookies.set(name, 'A'.repeat(43))
  await logInWith(site, 'search', { browser: thief, user: 'Victim' })
  expect(thief.cookies.get(name)).not.toBe('A'.repeat(43))
})

test('the cookie is HttpOnly and Lax and lasts as long as the session can', async () => {
  const browser = openTestBrowser()
  const returning = await submitProviderSignIn(browser, await openRedirect(browser, buildAuthorizeUrl(site, 'search')))
  const fields = (await browser.open(returning)).headers.getSetCookie()
  expect(fields).toContainEqual(
    expect.stringMatching(
      new RegExp(
        `^session-[0-9a-f]{12}=[\\w-]{43}; Max-Age=${limits.session_absolute_seconds}; Path=/; HttpOnly; SameSite=Lax$`,
      ),
    ),
  )
})

describe('a session ends', () => {
  const started = async () => {
    const { browser, claims } = await loggedIn('search', { user: 'Limited' })
    const [token = ''] = browser.cookies.values()
    const redis = await inspectRedis(serviceStack.redis.url)
    return { browser, claims, redis, key: `provider-auth:session:${hashSecret(token)}` }
  }

  test('after the idle timeout, which each use restarts; it is stored encrypted, by a hash', async () => {
    const { browser, claims, redis, key } = await started()
    using inspector = redis
    const { client } = inspector
    expect(await client.ttl(key)).toBeGreaterThan(limits.session_idle_seconds - 10)
    expect(await client.ttl(key)).toBeLessThanOrEqual(limits.session_idle_seconds)
    expect((await client.getBuffer(key))?.includes(claims.sub ?? '')).toBe(false)
    await client.expire(key, 60)
    await authorize(browser, 'search', silent)
    expect(await client.ttl(key)).toBeGreaterThan(limits.session_idle_seconds - 10)
    await client.del(key)
    expect(await errorOf(browser, 'search', silent)).toBe('login_required')
  })

  test('after the absolute timeout, regardless of its use', async () => {
    const session = { ...example, began_at_ms: Date.now() - limits.session_absolute_seconds * 1_000 + 60_000 }
    using inspector = await inspectRedis(serviceStack.redis.url)
    const redis = inspector.client
    using encryptor = await createEncryptor(keyRing(new Map([['test', randomBytes(32)]])))
    await insertSession({ redis, encryptor }, 'token', session)
    expect(await findSession({ redis, encryptor }, 'token')).toEqual(session)
    expect(await redis.ttl(`provider-auth:session:${hashSecret('token')}`)).toBeLessThanOrEqual(60)
    await touchSession({ redis }, 'token', session)
    expect(await redis.ttl(`provider-auth:session:${hashSecret('token')}`)).toBeLessThanOrEqual(60)
    expect(isSessionExpired(session)).toBe(false)
    expect(isSessionExpired({ began_at_ms: session.began_at_ms - 60_000 })).toBe(true)
  })
})

const example: Session = {
  site: 1,
  identifier: 'a'.repeat(40),
  provider: 'search',
  provider_user_id: 'u',
  link_id: 'c0de0000-0000-4000-8000-000000000000',
  recorded_at: '2030-01-01T00:00:00Z',
  auth_time_ms: 0,
  began_at_ms: 0,
  claims: { openid: {} },
}

describe('without prompt=none', () => {
  test.each(providers)('an end user with a session is redirected to %s', async (provider) => {
    const { browser } = await loggedIn(provider)
    const location = await openRedirect(browser, buildAuthorizeUrl(site, provider))
    expect(location.startsWith(serviceStack.simulator)).toBe(true)
  })

  test.each(providers)(
    'auth_time at %s is that of the session within max_age, and later after it',
    async (provider) => {
      const { browser, claims } = await loggedIn(provider, { user: `Timed ${provider}` })
      const again = async (fields: Fields) =>
        application.claimsOf(
          await logInWith(site, provider, { browser, user: `Timed ${provider}`, parameters: fields }),
        )
      // The claim counts whole seconds.
      await expect.poll(() => Math.floor(Date.now() / 1_000)).toBeGreaterThan(Number(claims.auth_time))
      await passClockSteps()
      expect(await again({ max_age: '10000' })).toMatchObject({ sub: claims.sub, auth_time: claims.auth_time })
      expect(Number((await again({ max_age: '0' })).auth_time)).toBeGreaterThan(Number(claims.auth_time))
    },
  )

  test.each(providers)(
    'auth_time at %s is later after prompt=login, and that of the new user for another user',
    async (provider) => {
      const { browser, claims } = await loggedIn(provider, { user: `Forced ${provider}` })
      await expect.poll(() => Math.floor(Date.now() / 1_000)).toBeGreaterThan(Number(claims.auth_time))
      await passClockSteps()
      const as = async (user: string, fields: Fields) =>
        application.claimsOf(await logInWith(site, provider, { browser, user, parameters: fields }))
      expect(Number((await as(`Other ${provider}`, {})).auth_time)).toBeGreaterThan(Number(claims.auth_time))
      const forced = await as(`Forced ${provider}`, { prompt: 'login' })
      expect(Number(forced.auth_time)).toBeGreaterThan(Number(claims.auth_time))
    },
  )
})

describe('prompt and max_age at the provider', () => {
  const askedOf = async (provider: ProviderName, fields: Fields, browser = openTestBrowser()) => {
    const { searchParams } = new URL(await openRedirect(browser, buildAuthorizeUrl(site, provider, fields)))
    return { prompt: searchParams.get('prompt'), max_age: searchParams.get('max_age') }
  }
  test.each<[ProviderName, Fields, string | null, string | null]>([
    ['messaging', {}, null, null],
    ['messaging', { prompt: 'login' }, 'login', null],
    ['messaging', { prompt: 'consent' }, 'consent', null],
    ['messaging', { prompt: 'consent login' }, 'login', null],
    ['messaging', { prompt: 'select_account' }, null, null],
    ['messaging', { max_age: '60' }, null, '60'],
    ['search', {}, null, null],
    ['search', { prompt: 'login' }, 'select_account', null],
    ['search', { prompt: 'select_account' }, 'select_account', null],
    ['search', { prompt: 'consent' }, null, null],
    ['search', { max_age: '60' }, 'select_account', null],
  ])('%s, for %j: prompt %s and max_age %s', async (provider, fields, prompt, maxAge) => {
    expect(await askedOf(provider, fields)).toEqual({ prompt, max_age: maxAge })
  })

  test('search, for a max_age that the session satisfies: neither', async () => {
    const { browser } = await loggedIn('search')
    expect(await askedOf('search', { max_age: '10000' }, browser)).toEqual({ prompt: null, max_age: null })
  })
})

describe('id_token_hint', () => {
  test('of the user: prompt=none returns a code', async () => {
    const { browser, id_token, claims } = await loggedIn('search', { user: 'Hinted' })
    const callback = await authorize(browser, 'search', { ...silent, id_token_hint: id_token })
    expect(await application.userOf(callback)).toBe(claims.sub)
  })

  test('of another user: login_required, with prompt=none and after a login, which is not recorded', async () => {
    const { browser } = await loggedIn('search', { user: 'Hinted' })
    const { id_token } = await loggedIn('search', { user: 'Another user' })
    expect(await errorOf(browser, 'search', { ...silent, id_token_hint: id_token })).toBe('login_required')
    const address = buildAuthorizeUrl(site, 'search', { id_token_hint: id_token })
    const callback = await logIn(browser, address, { user: 'Unknown Yet' })
    expect(callback.searchParams.get('error')).toBe('login_required')
    const { claims } = await loggedIn('search', { user: 'Unknown Yet' })
    const input = { site: site.site, identifier: claims.sub ?? '' }
    const { user } = await serviceStack.identity.resolveUser(input, serviceStack.call())
    expect(user.login_count).toBe(1)
    const own = await logIn(browser, address, { user: 'Another user' })
    expect(own.searchParams.has('code')).toBe(true)
  })

  test('forged, of another issuer or client, or no token: invalid_request', async () => {
    const { browser, id_token, claims } = await loggedIn('search', { user: 'Hinted' })
    const { privateKey, publicKey } = await generateKeyPair('RS256')
    const forged = (header: object) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', ...header }).sign(privateKey)
    const other = await seedSite(serviceStack)
    const theirs = await logInWith(other, 'search')
    const ofAnother = (await applicationOf(serviceStack, other).redeem(theirs)).id_token
    const [head = '', body = ''] = id_token.split('.')
    const kid = JSON.parse(atob(head)).kid
    const hints = [
      await forged({ kid }),
      await forged({ jwk: await exportJWK(publicKey) }),
      ofAnother,
      `${btoa('{"alg":"none"}').replaceAll('=', '')}.${body}.`,
      `${head}.${body}.`,
      'nonsense',
    ]
    for (const idTokenHint of hints)
      expect(await errorOf(browser, 'search', { ...silent, id_token_hint: idTokenHint })).toBe('invalid_request')
  })
})
