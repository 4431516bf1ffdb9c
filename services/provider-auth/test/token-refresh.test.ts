import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Provider } from '#contracts'
import type { RunningService } from '#runtime'
import type { ProviderTokens } from '../domain/credential.ts'
import { upsertCredential } from '../store/credentials.ts'
import { type Logins, startLogins } from './logins.ts'
import { type MaliciousProvider, startMaliciousProvider } from './malicious-provider.ts'

let logins: Logins
let hostile: MaliciousProvider
let replicas: RunningService<{ port: number }>[]
beforeAll(async () => {
  ;[logins, hostile] = await Promise.all([startLogins(), startMaliciousProvider()])
  await Promise.all(logins.serviceStack.services.provider_auth.map(({ stop }) => stop()))
  const startReplica = () => logins.startReplica({ PROVIDER_SIMULATOR_URL: hostile.url })
  replicas = await Promise.all([startReplica(), startReplica()])
})
afterAll(async () => {
  await Promise.all(replicas.map(({ stop }) => stop()))
  await Promise.all([logins[Symbol.asyncDispose](), hostile[Symbol.asyncDispose]()])
})
beforeEach(() => {
  hostile.forgery = {}
  hostile.requestCounts.clear()
})

interface Person {
  readonly site: number
  readonly identifier: string
  readonly provider: Provider
  readonly link_id: string
}

const ended: ProviderTokens = {
  access_token: 'access-1',
  access_secret: null,
  refresh_token: 'refresh-1',
  expires_at: new Date(Date.now() - 3_600_000),
}
const lasting: ProviderTokens = {
  ...ended,
  access_token: 'access-of-a-login',
  expires_at: new Date(Date.now() + 3_600_000),
}

const providerAuth = () => logins.serviceStack.provider_auth
const identity = () => logins.serviceStack.identity
const call = () => logins.serviceStack.call()
let sites = 0

/** What a login leaves. */
const keep = ({ identifier: _, ...link }: Person, given: ProviderTokens) =>
  logins.knex.transaction((trx) =>
    upsertCredential(trx, logins.encryptor, {
      ...link,
      ...given,
      provider_user_id: 'person-1',
      recorded_at: new Date(),
    }),
  )

/** Creates a user who is linked with the provider at a new site; the access token has expired by default. */
const meet = async (given: Partial<ProviderTokens> = {}, provider: 'messaging' | 'portal' | 'search' = 'messaging') => {
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
  const person: Person = { site, identifier: user.identifier, provider, link_id }
  await keep(person, { ...ended, ...given })
  return person
}

const read = async ({ link_id }: Person) =>
  (await providerAuth().readCredentials({ link_ids: [link_id] }, call())).credentials[link_id]

const tokens = (changes: Record<string, unknown> = {}) =>
  JSON.stringify({ access_token: 'access-2', token_type: 'Bearer', expires_in: 3_600, ...changes })

const answering = (answer: (response: ServerResponse) => void) => {
  hostile.forgery = { instead: { token: answer } }
}

const refuse = (status: number, error: string) =>
  answering((response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error })),
  )

/** The provider responds when the test resolves the promise. */
const hold = () => {
  const held: ServerResponse[] = []
  answering((response) => held.push(response))
  return {
    whenAsked: () => expect.poll(() => held.length).toBe(1),
    release: (body = tokens()) => {
      for (const response of held) response.setHeader('content-type', 'application/json').end(body)
    },
  }
}

const asked = () => hostile.requestCounts.get('token') ?? 0

const change = ({ link_id }: Person, columns: Record<string, unknown>) =>
  logins.knex('credentials').where({ link_id }).update(columns)
const freshnessOf = async ({ link_id }: Person) =>
  (await providerAuth().readCredentialFreshness({ link_ids: [link_id] }, call())).credentials[link_id]

describe('an expired token', () => {
  test.each(['messaging', 'portal', 'search'] as const)(
    'is refreshed before it is returned, with one request; the refresh token stays: %s',
    async (provider) => {
      const person = await meet({}, provider)
      const renewed = await read(person)
      expect(renewed).toMatchObject({ access_token: 'token-of-person-1', refresh_token: 'refresh-1' })
      expect(Date.parse(renewed?.expires_at ?? '')).toBeGreaterThan(Date.now() + 3_500_000)
      expect(await read(person)).toEqual(renewed)
      expect(asked()).toBe(1)
    },
  )

  test('is refreshed before the friend status is requested', async () => {
    const { site, link_id } = await meet()
    const received = await providerAuth().fetchFriendshipStatus({ site, link_id }, call())
    expect(received).toEqual({ friendship_status: true })
    expect([...hostile.requestCounts.keys()]).toEqual(['token', 'status'])
  })

  test('is replaced together with the refresh token if the provider returns a new one', async () => {
    const person = await meet()
    hostile.forgery = { token: (answer) => ({ ...answer, refresh_token: 'refresh-2' }) }
    expect(await read(person)).toMatchObject({ access_token: 'token-of-person-1', refresh_token: 'refresh-2' })
    expect(await read(person)).toMatchObject({ refresh_token: 'refresh-2' })
  })

  test('is refreshed once for many concurrent callers at two replicas, and each gets the new one', async () => {
    const person = await meet()
    const provider = hold()
    const answers = Promise.all(Array.from({ length: 24 }, () => read(person)))
    await provider.whenAsked()
    provider.release()
    expect(new Set((await answers).map((credential) => credential?.access_token))).toEqual(new Set(['access-2']))
    expect(asked()).toBe(1)
  })
})

test.each([
  ['has an hour left', { expires_at: new Date(Date.now() + 3_600_000) }],
  ['has no end', { expires_at: null }],
])('a token that %s is returned without a request to the provider', async (_which, given) => {
  expect(await read(await meet(given))).toMatchObject({ access_token: 'access-1' })
  expect(asked()).toBe(0)
})

describe('a provider that does not refresh', () => {
  test('slowly: the stored token is returned in time, and the new one is stored although no caller waits any more', async () => {
    const person = await meet()
    const provider = hold()
    expect(await read(person)).toMatchObject({ access_token: 'access-1' })
    provider.release(tokens({ refresh_token: 'refresh-2' }))
    await expect.poll(() => read(person)).toMatchObject({ access_token: 'access-2', refresh_token: 'refresh-2' })
    expect(asked()).toBe(1)
  })

  test.each([
    ['an error of its own', () => refuse(500, 'server_error')],
    ['too many requests', () => refuse(429, 'slow_down')],
    ['a client it does not know', () => refuse(401, 'invalid_client')],
    [
      'an ID Token of another user (BR-25)',
      () => {
        hostile.forgery = { claims: (claims) => ({ ...claims, sub: 'person-2' }) }
      },
    ],
    [
      'an ID Token of another issuer (BR-25)',
      () => {
        hostile.forgery = { claims: (claims) => ({ ...claims, iss: 'https://evil.example' }) }
      },
    ],
    [
      'no access token',
      () => {
        hostile.forgery = { token: ({ access_token: _, ...answer }) => answer }
      },
    ],
  ])('%s: the stored token is returned, and the next request follows only after a delay', async (_what, lie) => {
    const person = await meet()
    lie()
    expect(await read(person)).toMatchObject({ access_token: 'access-1', refresh_token: 'refresh-1' })
    expect(await read(person)).toMatchObject({ access_token: 'access-1' })
    expect(asked()).toBe(1)
    expect(await freshnessOf(person)).toMatchObject({ state: 'expired', failed_refreshes: 1 })

    hostile.forgery = {}
    await change(person, { refresh_not_before: new Date() })
    expect(await read(person)).toMatchObject({ access_token: 'token-of-person-1' })
    expect(await freshnessOf(person)).toMatchObject({ state: 'valid', failed_refreshes: 0 })
  })

  test.each([
    ['the provider says so', {}, 1],
    ['it never gave a refresh token', { refresh_token: null }, 0],
  ])(
    'because reauthentication is required, as %s: it gets no further request until a login',
    async (_why, given, times) => {
      const person = await meet(given)
      refuse(400, 'invalid_grant')
      for (let reading = 0; reading < 3; reading++)
        expect(await read(person)).toMatchObject({ access_token: 'access-1' })
      expect(asked()).toBe(times)
      expect(await freshnessOf(person)).toMatchObject({ state: 'needs_reauth' })
      const { site, identifier } = person
      expect((await identity().resolveUser({ site, identifier }, call())).links).toHaveLength(1)

      await keep(person, lasting)
      expect(await freshnessOf(person)).toEqual({
        state: 'valid',
        can_refresh: true,
        expires_at: expect.any(String),
        failed_refreshes: 0,
        updated_at: expect.any(String),
      })
      expect(await read(person)).toMatchObject({ access_token: 'access-of-a-login' })
    },
  )
})

describe('during a refresh', () => {
  test('a login takes precedence', async () => {
    const person = await meet()
    const provider = hold()
    const reading = read(person)
    await provider.whenAsked()
    await keep(person, lasting)
    provider.release()
    await reading
    expect(await read(person)).toMatchObject({ access_token: 'access-of-a-login' })
  })

  test('also if the user is merged meanwhile', async () => {
    const person = await meet()
    const { site, identifier: source } = person
    const { user } = await identity().createUser({ site, links: [] }, call())
    const holding = hold()
    const reading = read(person)
    await holding.whenAsked()
    await identity().mergeUsers({ site, source, destination: user.identifier, nomerge: false }, call())
    holding.release(tokens({ refresh_token: 'refresh-2' }))
    await reading
    expect(await read(person)).toMatchObject({ access_token: 'access-2', refresh_token: 'refresh-2' })
  })

  test('an unlink takes precedence, and the tokens that the provider issued meanwhile are revoked', async () => {
    const person = await meet({}, 'search')
    const { site, identifier, link_id } = person
    const holding = hold()
    hostile.forgery = { instead: { ...hostile.forgery.instead, revoke: (response) => response.end() } }
    const reading = read(person)
    await holding.whenAsked()
    const deletedAt = new Date().toISOString()
    await providerAuth().deleteLinks({ site, identifier, link_ids: [link_id], deleted_at: deletedAt }, call())
    holding.release()
    await reading
    expect(await read(person)).toBeUndefined()
    await expect.poll(() => hostile.requestCounts.get('revoke')).toBe(2)
  })

  test('another replica waits, and returns the stored token if it takes too long', async () => {
    const person = await meet()
    await change(person, { refresh_locked_until: new Date(Date.now() + 60_000) })
    expect(await read(person)).toMatchObject({ access_token: 'access-1' })
    expect(asked()).toBe(0)
  })

  test('a replica that crashed blocks it only for a limited time', async () => {
    const person = await meet()
    await change(person, { refresh_locked_until: new Date() })
    expect(await read(person)).toMatchObject({ access_token: 'token-of-person-1' })
  })
})

describe('a single replica', () => {
  let replica: RunningService<{ port: number }>
  beforeEach(async () => {
    await Promise.all(replicas.splice(0).map(({ stop }) => stop()))
    replica = await logins.startReplica({ PROVIDER_SIMULATOR_URL: hostile.url })
    replicas.push(replica)
  })
  const metrics = async () => (await fetch(`http://localhost:${replica.operations_port}/metrics`)).text()

  test('measures refreshes by provider and outcome, and counts required reauthentications', async () => {
    await read(await meet())
    const person = await meet()
    refuse(400, 'invalid_grant')
    await read(person)
    const text = await metrics()
    for (const outcome of ['renewed', 'needs_reauth'])
      expect(text).toMatch(
        new RegExp(`sociallogin_credentials_refresh_total{[^}]*provider="messaging",outcome="${outcome}"[^}]*} 1`),
      )
    const { length: count } = await logins.knex('credentials').whereNotNull('needs_reauth_at')
    const next = await logins.startReplica({ PROVIDER_SIMULATOR_URL: hostile.url })
    replicas.push(next)
    const ofNext = async () => (await fetch(`http://localhost:${next.operations_port}/metrics`)).text()
    await expect
      .poll(ofNext)
      .toMatch(new RegExp(`sociallogin_credentials_needing_reauth{[^}]*provider="messaging"[^}]*} ${count}\n`))
    expect(await ofNext()).toMatch(/sociallogin_credentials_needing_reauth{[^}]*provider="search"[^}]*} 0\n/)
  })

  test('stores the tokens that a provider returns while it stops', async () => {
    const person = await meet()
    const provider = hold()
    const reading = read(person)
    await provider.whenAsked()
    const stopped = replica.stop()
    replicas.splice(0)
    provider.release()
    await Promise.all([reading, stopped])
    replicas.push(await logins.startReplica({ PROVIDER_SIMULATOR_URL: hostile.url }))
    expect(await read(person)).toMatchObject({ access_token: 'access-2' })
    expect(asked()).toBe(1)
  })
})
