import { describe, expect, test } from 'vitest'
import { builtInLoginProviders, limits, type TestLoginOutcome } from '#contracts'
import { inspectRedis, readLinkData, registerAtSimulator, type SeededSite, type ServiceStack, seedSite } from '#testing'
import { getDenialError, logInWith, type ProviderName } from './browser.ts'
import { createSiteFixture } from './site-fixture.ts'

const by = 'member 1'
const { serviceStack, site } = createSiteFixture()

async function beginTest(provider: ProviderName, of: SeededSite = site): Promise<string> {
  const started = await serviceStack.provider_auth.beginTestLogin({ site: of.site, provider, by }, serviceStack.call())
  expect(started.state).toMatch(/^sltl_[\w-]{43}$/)
  return started.state
}

type TestLoginInput = Parameters<ServiceStack['provider_auth']['readTestLogin']>[0]
function outcomeOf(
  provider: ProviderName,
  state: string,
  changes: Partial<TestLoginInput> = {},
): Promise<TestLoginOutcome> {
  const input = { site: site.site, provider, by, state, ...changes }
  return serviceStack.provider_auth.readTestLogin(input, serviceStack.call())
}

/** Everything that is stored in Redis. */
async function readRedis(): Promise<{ text: string; lives: number[] }> {
  using redis = await inspectRedis(serviceStack.redis.url)
  const { client } = redis
  const keys = await redis.listKeys('*test-login*')
  const values = await Promise.all(keys.map(async (key) => (await client.getBuffer(key))?.toString('latin1') ?? ''))
  const lives = await Promise.all(keys.map((key) => client.ttl(key)))
  return { text: [...keys, ...values].join('\n'), lives }
}

describe.each(builtInLoginProviders)('a test login through %s', (provider) => {
  test('shows the member who started it the provider’s claims and the user, without tokens', async () => {
    const state = await beginTest(provider)
    expect(await outcomeOf(provider, state)).toEqual({ outcome: 'waiting' })
    const callback = await logInWith(site, provider, { user: 'Ada King', parameters: { state } })
    expect(callback.searchParams.get('state')).toBe(state)

    const outcome = await outcomeOf(provider, state)
    if (outcome.outcome !== 'came') throw new Error(`It ${outcome.outcome}.`)
    const { identifier, claims, exchanges } = outcome
    expect(exchanges.length).toBeGreaterThan(0)
    for (const { status } of exchanges) expect(status).toBe(200)
    expect(JSON.stringify(claims)).toContain('Ada')
    expect(Object.keys(claims).filter((name) => /^nonce$|(token|secret|_hash)$/.test(name))).toEqual([])
    const { credentials } = await readLinkData(serviceStack, { site: site.site, identifier })
    const tokens = Object.values(credentials[provider] ?? {}).filter(
      (value) => typeof value === 'string' && value.length > 20,
    )
    expect(tokens.length).toBeGreaterThan(0)
    for (const token of tokens) expect(JSON.stringify(outcome)).not.toContain(token)
  })

  test('that the end user denies reports it', async () => {
    const state = await beginTest(provider)
    await logInWith(site, provider, { decision: 'deny', parameters: { state } })
    expect(await outcomeOf(provider, state)).toEqual({
      outcome: 'failed',
      error: getDenialError(provider),
      provider_message: null,
      advice: null,
      exchanges: [],
    })
  })
})

test('a wrong client secret is reported with the error of the provider', async () => {
  const { provider_auth, call, simulator } = serviceStack
  const other = await seedSite(serviceStack)
  const { client_id, provider_callback } = other.providers.messaging
  const clientSecret = 'another-secret-at-the-provider-0123456789'
  await registerAtSimulator(simulator, {
    provider: 'messaging',
    client_id,
    client_secret: clientSecret,
    redirect_uris: [provider_callback],
  })
  const state = await beginTest('messaging', other)
  await logInWith(other, 'messaging', { parameters: { state } })
  const input = { site: other.site, provider: 'messaging', by, state } as const
  expect(await provider_auth.readTestLogin(input, call())).toEqual({
    outcome: 'failed',
    error: 'server_error',
    provider_message: 'The provider responded with invalid_client.',
    advice: 'client',
    exchanges: [
      {
        method: 'POST',
        address: `${simulator}/messaging/oauth2/v2.1/token`,
        status: 400,
        fields: { error: 'invalid_client', error_description: expect.any(String) },
      },
    ],
  })
})

test('can be read only by the member who started it, and not through another site or provider', async () => {
  const other = await seedSite(serviceStack)
  const state = await beginTest('search')
  await logInWith(site, 'search', { parameters: { state } })
  for (const changes of [
    { by: 'member 2' },
    { site: other.site },
    { provider: 'portal' },
    { state: 'sltl_x' },
  ] as const)
    await expect(outcomeOf('search', state, changes), JSON.stringify(changes)).rejects.toMatchObject({
      fault: 'entity_not_found',
    })
  expect(await outcomeOf('search', state)).toMatchObject({ outcome: 'came' })
})

test('ignores a login of another site, through another provider, and a second one', async () => {
  const other = await seedSite(serviceStack)
  const state = await beginTest('search')
  await logInWith(other, 'search', { user: 'Elsewhere', parameters: { state } })
  await logInWith(site, 'portal', { user: 'Elsewhere', parameters: { state } })
  expect(await outcomeOf('search', state)).toEqual({ outcome: 'waiting' })
  await logInWith(site, 'search', { user: 'The First', parameters: { state } })
  const first = await outcomeOf('search', state)
  await logInWith(site, 'search', { user: 'The Second', parameters: { state } })
  expect(await outcomeOf('search', state)).toEqual(first)
})

test('stores its result encrypted, by a hash, for at most ten minutes from the start', async () => {
  const state = await beginTest('search')
  await logInWith(site, 'search', { user: 'Encrypted Person', parameters: { state } })
  const { text, lives } = await readRedis()
  expect(lives.length).toBeGreaterThan(0)
  expect(Math.max(...lives)).toBeLessThanOrEqual(limits.pending_login_seconds)
  expect(Math.min(...lives)).toBeGreaterThan(0)
  for (const secret of [state, 'Encrypted', 'member 1']) expect(text).not.toContain(secret)
})

test('settings that do not allow logins cannot be tested', async () => {
  const { identity, provider_auth, call } = serviceStack
  const { site: bare } = await identity.registerSite({ account: 'test', site_id: 'bare', name: 'bare' }, call())
  await expect(provider_auth.beginTestLogin({ site: bare, provider: 'search', by }, call())).rejects.toMatchObject({
    fault: 'provider_settings_incomplete',
  })
})
