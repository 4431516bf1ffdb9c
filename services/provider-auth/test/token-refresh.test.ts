import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Provider } from '#contracts'
import type { RunningService } from '#runtime'
import { passClockSteps } from '#testing'
import type { ProviderTokens } from '../domain/credential.ts'
import { upsertCredential } from '../store/credentials.ts'
import { refreshWait } from '../upstream/token-refresh/credential-refresher.ts'
import { type Logins, startLogins } from './logins.ts'
import { type MaliciousProvider, startMaliciousProvider } from './malicious-provider.ts'
import { expectEventData } from './user-events.ts'

let logins: Logins
let hostile: MaliciousProvider
let replicas: RunningService<{ port: number }>[] = []
beforeAll(async () => {
  ;[logins, hostile] = await Promise.all([startLogins(), startMaliciousProvider()])
  await Promise.all(logins.serviceStack.services.provider_auth.map(({ stop }) => stop()))
  await startReplicas(2)
})
afterAll(async () => {
  await stopReplicas()
  await Promise.all([logins[Symbol.asyncDispose](), hostile[Symbol.asyncDispose]()])
})
const { ms: usualWait } = refreshWait
beforeEach(() => {
  hostile.forgery = {}
  hostile.requestCounts.clear()
})
afterEach(() => {
  refreshWait.ms = usualWait
})

const startReplica = () => logins.startReplica({ PROVIDER_SIMULATOR_URL: hostile.url })
const stopReplicas = () => Promise.all(replicas.splice(0).map(({ stop }) => stop()))
/** Replaces the running replicas. */
async function startReplicas(count: number): Promise<void> {
  await stopReplicas()
  replicas = await Promise.all(Array.from({ length: count }, startReplica))
}

interface LinkedUser {
  readonly site: number
  readonly identifier: string
  readonly provider: Provider
  readonly link_id: string
}

const expiredTokens: ProviderTokens = {
  access_token: 'access-1',
  access_secret: null,
  refresh_token: 'refresh-1',
  expires_at: new Date(Date.now() - 3_600_000),
}
const validTokens: ProviderTokens = {
  ...expiredTokens,
  access_token: 'access-of-a-login',
  expires_at: new Date(Date.now() + 3_600_000),
}

const providerAuth = () => logins.serviceStack.provider_auth
const identity = () => logins.serviceStack.identity
const call = () => logins.serviceStack.call()
let sites = 0

/** Stores tokens, as a login does. */
const storeTokens = ({ identifier: _, ...link }: LinkedUser, given: ProviderTokens) =>
  logins.knex.transaction((trx) =>
    upsertCredential(trx, logins.encryptor, {
      ...link,
      ...given,
      provider_user_id: 'person-1',
      recorded_at: new Date(),
    }),
  )

/** Creates a user who is linked with the provider at a new site; the access token has expired by default. */
const createLinkedUser = async (
  given: Partial<ProviderTokens> = {},
  provider: 'messaging' | 'portal' | 'search' = 'messaging',
) => {
  const names = { account: 'fresh', site_id: `site-${++sites}` }
  const { site } = await identity().registerSite({ ...names, name: 'fresh' }, call())
  const client = {
    client_id: `channel-of-${names.site_id}`,
    client_secret: 'secret-0123456789',
    official_account: true,
  }
  await providerAuth().saveProviderSettings({ site, ...names, provider, ...client }, call())
  const links = [{ provider, provider_user_id: 'person-1' }]
  const { user, links: linked } = await identity().createUser({ site, links }, call())
  const [{ link_id } = { link_id: '' }] = linked
  const linkedUser: LinkedUser = { site, identifier: user.identifier, provider, link_id }
  await storeTokens(linkedUser, { ...expiredTokens, ...given })
  return linkedUser
}

const read = async ({ site, link_id }: LinkedUser) =>
  (await providerAuth().readCredentials({ site, link_ids: [link_id] }, call())).credentials[link_id]

const tokens = (changes: Record<string, unknown> = {}) =>
  JSON.stringify({ access_token: 'access-2', token_type: 'Bearer', expires_in: 3_600, ...changes })

const setTokenResponse = (respond: (response: ServerResponse) => void) => {
  hostile.forgery = { instead: { token: respond } }
}

const failRefresh = (status: number, error: string) =>
  setTokenResponse((response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error })),
  )

/** The provider responds when the test calls `release`. */
const delayResponse = () => {
  const pendingResponses: ServerResponse[] = []
  setTokenResponse((response) => pendingResponses.push(response))
  return {
    waitForRequest: () => expect.poll(() => pendingResponses.length).toBe(1),
    release: (body = tokens()) => {
      for (const response of pendingResponses) response.setHeader('content-type', 'application/json').end(body)
    },
  }
}

const countTokenRequests = () => hostile.requestCounts.get('token') ?? 0

const change = ({ link_id }: LinkedUser, columns: Record<string, unknown>) =>
  logins.knex('credentials').where({ link_id }).update(columns)
const readFreshness = async ({ site, link_id }: LinkedUser) =>
  (await providerAuth().readCredentialFreshness({ site, link_ids: [link_id] }, call())).credentials[link_id]

describe('an expired token', () => {
  test.each(['messaging', 'portal', 'search'] as const)(
    'is refreshed before it is returned, with one request; the refresh token stays: %s',
    async (provider) => {
      const user = await createLinkedUser({}, provider)
      const refreshed = await read(user)
      expect(refreshed).toMatchObject({ access_token: 'token-of-person-1', refresh_token: 'refresh-1' })
      expect(Date.parse(refreshed?.expires_at ?? '')).toBeGreaterThan(Date.now() + 3_500_000)
      expect(await read(user)).toEqual(refreshed)
      expect(countTokenRequests()).toBe(1)
    },
  )

  test('is refreshed before the friend status is requested', async () => {
    const { site, link_id } = await createLinkedUser()
    const received = await providerAuth().fetchFriendshipStatus({ site, link_id }, call())
    expect(received).toEqual({ friendship_status: true })
    expect([...hostile.requestCounts.keys()]).toEqual(['token', 'status'])
  })

  test('is refreshed at the next read if our database failed before the provider was called', async () => {
    const user = await createLinkedUser()
    await logins.knex.raw('alter table provider_settings rename to unreadable_settings')
    const stored = await read(user).finally(() =>
      logins.knex.raw('alter table unreadable_settings rename to provider_settings'),
    )
    expect(stored).toMatchObject({ access_token: 'access-1' })
    expect(await read(user)).toMatchObject({ access_token: 'token-of-person-1' })
  })

  test('is replaced together with the refresh token if the provider returns a new one', async () => {
    const user = await createLinkedUser()
    hostile.forgery = { token: (respond) => ({ ...respond, refresh_token: 'refresh-2' }) }
    expect(await read(user)).toMatchObject({ access_token: 'token-of-person-1', refresh_token: 'refresh-2' })
    expect(await read(user)).toMatchObject({ refresh_token: 'refresh-2' })
  })

  test('is refreshed once for many concurrent callers at two replicas, and each gets the new one', async () => {
    const user = await createLinkedUser()
    const provider = delayResponse()
    const responses = Promise.all(Array.from({ length: 24 }, () => read(user)))
    await provider.waitForRequest()
    provider.release()
    expect(new Set((await responses).map((credential) => credential?.access_token))).toEqual(new Set(['access-2']))
    expect(countTokenRequests()).toBe(1)
  })
})

test.each([
  ['has an hour left', { expires_at: new Date(Date.now() + 3_600_000) }],
  ['does not expire', { expires_at: null }],
])('a token that %s is returned without a request to the provider', async (_which, given) => {
  expect(await read(await createLinkedUser(given))).toMatchObject({ access_token: 'access-1' })
  expect(countTokenRequests()).toBe(0)
})

describe('a provider that does not refresh', () => {
  test('slowly: the stored token is returned in time, and the new one is stored although no caller waits any more', async () => {
    const user = await createLinkedUser()
    const provider = delayResponse()
    // Far less than the request to the provider may take, also on a slow machine.
    refreshWait.ms = 200
    expect(await read(user)).toMatchObject({ access_token: 'access-1' })
    refreshWait.ms = usualWait
    provider.release(tokens({ refresh_token: 'refresh-2' }))
    await expect.poll(() => read(user)).toMatchObject({ access_token: 'access-2', refresh_token: 'refresh-2' })
    expect(countTokenRequests()).toBe(1)
  })

  test.each([
    ['an error of its own', () => failRefresh(500, 'server_error')],
    ['too many requests', () => failRefresh(429, 'slow_down')],
    ['an unknown client', () => failRefresh(401, 'invalid_client')],
    [
      'an ID Token of another user',
      () => {
        hostile.forgery = { claims: (claims) => ({ ...claims, sub: 'person-2' }) }
      },
    ],
    [
      'an ID Token of another issuer',
      () => {
        hostile.forgery = { claims: (claims) => ({ ...claims, iss: 'https://evil.example' }) }
      },
    ],
    [
      'no access token',
      () => {
        hostile.forgery = { token: ({ access_token: _, ...respond }) => respond }
      },
    ],
  ])('%s: the stored token is returned, and the next request follows only after a delay', async (_what, lie) => {
    const user = await createLinkedUser()
    lie()
    expect(await read(user)).toMatchObject({ access_token: 'access-1', refresh_token: 'refresh-1' })
    expect(await read(user)).toMatchObject({ access_token: 'access-1' })
    expect(countTokenRequests()).toBe(1)
    expect(await readFreshness(user)).toMatchObject({ state: 'expired', failed_refreshes: 1 })

    hostile.forgery = {}
    await change(user, { refresh_not_before: new Date(0) })
    expect(await read(user)).toMatchObject({ access_token: 'token-of-person-1' })
    expect(await readFreshness(user)).toMatchObject({ state: 'valid', failed_refreshes: 0 })
  })

  test.each([
    ['the provider reports it', {}, 1],
    ['there is no refresh token', { refresh_token: null }, 0],
  ])(
    'because reauthentication is required, as %s: it gets no further request until a login',
    async (_why, given, times) => {
      const user = await createLinkedUser(given)
      failRefresh(400, 'invalid_grant')
      for (let reading = 0; reading < 3; reading++) expect(await read(user)).toMatchObject({ access_token: 'access-1' })
      expect(countTokenRequests()).toBe(times)
      expect(await readFreshness(user)).toMatchObject({ state: 'needs_reauth' })
      const { site, identifier } = user
      expect((await identity().resolveUser({ site, identifier }, call())).links).toHaveLength(1)
      await expectEventData(logins.serviceStack, user, 'credential.reauthentication_required', [
        { provider: 'messaging' },
      ])

      await passClockSteps()
      await storeTokens(user, validTokens)
      expect(await readFreshness(user)).toEqual({
        state: 'valid',
        can_refresh: true,
        expires_at: expect.any(String),
        failed_refreshes: 0,
        updated_at: expect.any(String),
      })
      expect(await read(user)).toMatchObject({ access_token: 'access-of-a-login' })
    },
  )
})

describe('during a refresh', () => {
  test('a login takes precedence', async () => {
    const user = await createLinkedUser()
    const provider = delayResponse()
    const reading = read(user)
    await provider.waitForRequest()
    await passClockSteps()
    await storeTokens(user, validTokens)
    provider.release()
    await reading
    expect(await read(user)).toMatchObject({ access_token: 'access-of-a-login' })
  })

  test('also if the user is merged meanwhile', async () => {
    const linkedUser = await createLinkedUser()
    const { site, identifier: source } = linkedUser
    const { user } = await identity().createUser({ site, links: [] }, call())
    const holding = delayResponse()
    const reading = read(linkedUser)
    await holding.waitForRequest()
    const users = { source: { identifier: source }, destination: { identifier: user.identifier } }
    await identity().mergeUsers({ site, ...users, nomerge: false }, call())
    holding.release(tokens({ refresh_token: 'refresh-2' }))
    await reading
    expect(await read(linkedUser)).toMatchObject({ access_token: 'access-2', refresh_token: 'refresh-2' })
  })

  test('an unlink takes precedence, and the tokens that the provider issued meanwhile are revoked', async () => {
    const user = await createLinkedUser({}, 'search')
    const { site, identifier, link_id } = user
    const holding = delayResponse()
    hostile.forgery = { instead: { ...hostile.forgery.instead, revoke: (response) => response.end() } }
    const reading = read(user)
    await holding.waitForRequest()
    const deletedAt = new Date().toISOString()
    await providerAuth().deleteLinks({ site, identifier, link_ids: [link_id], deleted_at: deletedAt }, call())
    holding.release()
    await reading
    expect(await read(user)).toBeUndefined()
    await expect.poll(() => hostile.requestCounts.get('revoke')).toBe(2)
  })

  test('another replica waits, and returns the stored token if it takes too long', async () => {
    const user = await createLinkedUser()
    await change(user, { refresh_locked_until: new Date(Date.now() + 60_000) })
    refreshWait.ms = 200
    expect(await read(user)).toMatchObject({ access_token: 'access-1' })
    expect(countTokenRequests()).toBe(0)
  })

  test('its replica holds the lock for less than 30 seconds, and extends it while the provider has not answered', async () => {
    const user = await createLinkedUser()
    const provider = delayResponse()
    const readLock = async () => {
      const row = await logins.knex('credentials').where({ link_id: user.link_id }).first('refresh_locked_until')
      return row.refresh_locked_until.getTime()
    }
    const startedAt = Date.now()
    const reading = read(user)
    await provider.waitForRequest()
    const first = await readLock()
    // Locks of a replica that was killed end within half a minute of its last sign.
    expect(first).toBeLessThan(Math.max(Date.now(), startedAt) + 30_000)
    await expect.poll(readLock).toBeGreaterThan(first)
    provider.release()
    await reading
  })

  test('a replica that crashed blocks it only for a limited time', async () => {
    const user = await createLinkedUser()
    await change(user, { refresh_locked_until: new Date(0) })
    expect(await read(user)).toMatchObject({ access_token: 'token-of-person-1' })
  })
})

describe('a single replica', () => {
  beforeEach(() => startReplicas(1))
  afterAll(() => startReplicas(2))
  const readMetrics = async (replica = replicas[0]) =>
    (await fetch(`http://localhost:${replica?.operations_port}/metrics`)).text()

  test('measures refreshes by provider and outcome, and counts required reauthentications', async () => {
    await read(await createLinkedUser())
    const user = await createLinkedUser()
    failRefresh(400, 'invalid_grant')
    await read(user)
    const text = await readMetrics()
    for (const outcome of ['renewed', 'needs_reauth'])
      expect(text).toMatch(
        new RegExp(`sociallogin_credentials_refresh_total{[^}]*provider="messaging",outcome="${outcome}"[^}]*} 1`),
      )
    const { length: count } = await logins.knex('credentials').whereNotNull('needs_reauth_at')
    const next = await startReplica()
    replicas.push(next)
    await expect
      .poll(() => readMetrics(next))
      .toMatch(new RegExp(`sociallogin_credentials_needing_reauth{[^}]*provider="messaging"[^}]*} ${count}\n`))
    expect(await readMetrics(next)).toMatch(/sociallogin_credentials_needing_reauth{[^}]*provider="search"[^}]*} 0\n/)
  })

  test('stores the tokens that a provider returns while it stops', async () => {
    const user = await createLinkedUser()
    const provider = delayResponse()
    const reading = read(user)
    await provider.waitForRequest()
    const stopped = stopReplicas()
    provider.release()
    await Promise.all([reading, stopped])
    replicas.push(await startReplica())
    expect(await read(user)).toMatchObject({ access_token: 'access-2' })
    expect(countTokenRequests()).toBe(1)
  })
})
