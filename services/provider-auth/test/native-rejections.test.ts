import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { openForTest, passClockSteps } from '#testing'
import { startScenario } from '../../provider-simulator/test/scenario-api.ts'
import { createNativeAppFixture, type NativeProvider, nativeProviders } from './native-app.ts'

const { serviceStack, site, app } = createNativeAppFixture()

const newUser = () => `Rejected ${randomUUID()}`

async function expectRejection(provider: NativeProvider, body: unknown, text: string, status = 400): Promise<void> {
  const response = await app.inject(provider, body)
  const error: unknown = await response.json()
  expect([response.status, error]).toEqual([
    status,
    { error: expect.stringMatching(/^\w+$/), error_description: expect.stringContaining(text) },
  ])
}

async function countUsers(): Promise<number> {
  await using identity = openForTest(serviceStack.database_urls.identity)
  const [row] = await identity.knex('users').where({ site: site.site }).count<{ count: number }[]>()
  return Number(row?.count)
}

describe.each(nativeProviders)('at %s', (provider) => {
  test.each([
    ['wrong_issuer', 'The ID Token was not issued by this provider'],
    ['wrong_signature', 'The ID Token was not issued by this provider'],
    ['unsigned_token', 'The ID Token was not issued by this provider'],
    ['key_confusion', 'The ID Token was not issued by this provider'],
    ['wrong_audience', 'The token was issued to a client that the provider settings do not list.'],
    ['expired_id_token', 'The ID Token has expired.'],
    ['wrong_nonce', 'nonce does not match the ID Token.'],
  ] as const)('400 for an ID Token with %s, and no user', async (scenario, text) => {
    const user = newUser()
    await startScenario(serviceStack.simulator, { scenario, name: user, provider })
    const { id_token } = await app.logInBySdk(provider, { user, nonce: 'n-1' })
    const before = await countUsers()
    await expectRejection(provider, { id_token, nonce: 'n-1' }, text)
    expect(await countUsers()).toBe(before)
  })

  test('400 for an ID Token of another provider, or of an app that is not listed', async () => {
    const other = provider === 'search' ? 'portal' : 'search'
    const foreign = await app.logInBySdk(other, { user: newUser() })
    await expectRejection(provider, { id_token: foreign.id_token }, 'The ID Token was not issued by this provider')
    await app.register(provider, 'app-of-another-company')
    const login = { user: newUser(), client_id: 'app-of-another-company' }
    const { id_token } = await app.logInBySdk(provider, login)
    await expectRejection(provider, { id_token }, 'Enter its client ID there.')
  })

  test('400 for a nonce in only one of request and token', async () => {
    const [plain, bound] = [
      await app.logInBySdk(provider, { user: newUser() }),
      await app.logInBySdk(provider, { user: newUser(), nonce: 'n-1' }),
    ]
    await expectRejection(provider, { id_token: plain.id_token, nonce: 'n-1' }, 'nonce does not match')
    await expectRejection(provider, { id_token: bound.id_token }, 'nonce does not match')
  })

  test('400 without a token', async () => {
    await expectRejection(provider, {}, 'id_token or access_token is required.')
  })

  test('400 while no app is listed', async () => {
    const { id_token } = await app.logInBySdk(provider, { user: newUser() })
    await app.allowApps(provider, '')
    await expectRejection(provider, { id_token }, 'The site does not accept logins of native apps')
    await app.allowApps(provider)
    expect(await app.fetchToken(provider, { id_token })).toMatch(/^slot_/)
  })
})

describe.each(['messaging', 'search', 'social'] as const)('an access token at %s', (provider) => {
  const ours = () => site.providers[provider].client_id

  test('400 if it was issued to an app that is not listed', async () => {
    await app.register(provider, 'app-of-another-company')
    const login = { user: newUser(), client_id: 'app-of-another-company' }
    const { access_token } = await app.logInBySdk(provider, login)
    await expectRejection(provider, { access_token }, 'Enter its client ID there.')
  })

  test('400 if it is unknown, expired or revoked', async () => {
    await expectRejection(provider, { access_token: 'unknown' }, 'The provider rejected the access token.')
    const user = newUser()
    const { access_token } = await app.logInBySdk(provider, { user, client_id: ours() })
    await passClockSteps()
    await startScenario(serviceStack.simulator, { scenario: 'revoked', name: user, provider })
    await expectRejection(provider, { access_token }, 'The provider rejected the access token.')
  })

  test('400 with the ID Token of another user', async () => {
    const [first, second] = [
      await app.logInBySdk(provider, { user: newUser(), client_id: ours() }),
      await app.logInBySdk(provider, { user: newUser(), client_id: ours() }),
    ]
    const body = { access_token: first.access_token, id_token: second.id_token }
    await expectRejection(provider, body, 'do not belong together')
  })
})

test('portal: an access token alone is not enough, because it may have been issued to any client', async () => {
  const { access_token } = await app.logInBySdk('portal', { user: newUser() })
  await expectRejection('portal', { access_token }, 'Send the ID Token too.')
})

test('device: access tokens are not accepted', async () => {
  const { id_token } = await app.logInBySdk('device', { user: newUser() })
  await expectRejection('device', { id_token, access_token: 'a' }, 'Send the ID Token only.')
})

test.each([
  ['no JSON', '{', 'Send JSON of at most 16384 bytes'],
  ['a text', '"x"', 'The body is invalid or unknown.'],
  ['an unknown field', { id_token: 'x', provider_user_id: 'U1' }, 'provider_user_id is invalid or unknown.'],
  ['a field that is no text', { id_token: 1 }, 'id_token is invalid or unknown.'],
  ['a long nonce', { id_token: 'x', nonce: 'n'.repeat(513) }, 'nonce is invalid or unknown.'],
  ['a long body', { id_token: 'x'.repeat(16_384) }, 'Send JSON of at most 16384 bytes'],
  ['a token that is no JWT', { id_token: 'x' }, 'The ID Token was not issued by this provider'],
] as const)('400 for %s', async (_, body, text) => {
  await expectRejection('search', body, text)
})

test('404 for an unknown address, 405 for GET', async () => {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
  for (const address of [app.addressOf('unknown'), app.addressOf('search').replace(site.site_id, 'unknown')]) {
    const response = await fetch(address, post)
    expect([response.status, await response.json()]).toMatchObject([404, { error: 'invalid_request' }])
  }
  const response = await fetch(app.addressOf('search'))
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
})

test('400 for X, which has no SDK', async () => {
  const response = await fetch(app.addressOf('microblog'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"id_token":"x"}',
  })
  expect([response.status, await response.json()]).toMatchObject([400, { error: 'unauthorized_client' }])
})

test('503 while the provider is unavailable; afterwards the same tokens are accepted', async () => {
  const { access_token } = await app.logInBySdk('messaging', { user: newUser() })
  const { id } = await startScenario(serviceStack.simulator, { scenario: 'unavailable', provider: 'messaging' })
  const unavailable = await app.inject('messaging', { access_token })
  await fetch(`${serviceStack.simulator}/scenarios/${id}`, { method: 'DELETE' })
  expect([unavailable.status, await unavailable.json()]).toMatchObject([503, { error: 'temporarily_unavailable' }])
  await expect.poll(() => app.inject('messaging', { access_token }).then(({ status }) => status)).toBe(200)
})
