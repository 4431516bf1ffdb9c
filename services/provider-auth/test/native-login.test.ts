import { createHash, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readLinkData } from '#testing'
import { fetchOneTimeToken } from './browser.ts'
import { createNativeAppFixture, type NativeApp, type NativeProvider, nativeProviders } from './native-app.ts'

const { serviceStack, site, app } = createNativeAppFixture()

const call = () => serviceStack.call()
const newUser = () => `Native ${randomUUID()}`
const userOf = async (identifier: string) => serviceStack.identity.resolveUser({ site: site.site, identifier }, call())

/** The credential and profile data of the user's one link. */
async function dataOf(identifier: string, provider: NativeProvider) {
  const { credentials, data } = await readLinkData(serviceStack, { site: site.site, identifier })
  return { credential: credentials[provider], data: data[provider] }
}

describe.each(nativeProviders)('%s', (provider) => {
  test('a login with an ID Token creates a user, and later ones find the user', async () => {
    const user = newUser()
    const { id_token } = await app.logInBySdk(provider, { user })
    const identifier = await app.redeem(await app.fetchToken(provider, { id_token }))
    const again = await app.logInBySdk(provider, { user, nonce: 'n-1' })
    expect(await app.redeem(await app.fetchToken(provider, { id_token: again.id_token, nonce: 'n-1' }))).toBe(
      identifier,
    )
    const { user: known, links } = await userOf(identifier)
    expect(known).toMatchObject({ login_count: 2, last_logged_in_provider: provider })
    expect(links).toMatchObject([{ provider }])
  })

  test('an ID Token is accepted once', async () => {
    const { id_token } = await app.logInBySdk(provider, { user: newUser() })
    await app.fetchToken(provider, { id_token })
    await expectRejection(provider, { id_token }, 400, 'The ID Token was used before.')
  })
})

describe('the tokens', () => {
  test('of a portal app are in the fields for apps, next to those of web logins', async () => {
    const user = newUser()
    const web = await app.redeem(await fetchOneTimeToken(serviceStack, site, { provider: 'portal', user }))
    const tokens = await app.logInBySdk('portal', { user })
    expect(await app.redeem(await app.fetchToken('portal', { ...sent(tokens), expires_in: 3_600 }))).toBe(web)
    const { credential, data } = await dataOf(web, 'portal')
    expect(credential).toMatchObject({
      client_access_token: tokens.access_token,
      client_refresh_token: tokens.refresh_token,
      client_expires_at: expect.stringMatching(/Z$/),
    })
    expect(credential?.access_token).not.toBeNull()
    expect(credential?.access_token).not.toBe(tokens.access_token)
    expect(data?.profile.full_name).toBe(user)
  })

  test.each(['messaging', 'search', 'social'] as const)('of our own client at %s are stored', async (provider) => {
    const { client_id } = site.providers[provider]
    const tokens = await app.logInBySdk(provider, { user: newUser(), client_id })
    const { access_token, refresh_token } = tokens
    const identifier = await app.redeem(await app.fetchToken(provider, { access_token, refresh_token }))
    const { credential, data } = await dataOf(identifier, provider)
    expect(credential).toMatchObject({ access_token, client_access_token: null })
    expect(data?.email).toHaveLength(provider === 'messaging' ? 0 : 1)
  })

  test.each(['messaging', 'search'] as const)('of an app’s client at %s are not stored', async (provider) => {
    const { access_token } = await app.logInBySdk(provider, { user: newUser() })
    const identifier = await app.redeem(await app.fetchToken(provider, { access_token }))
    const { credential, data } = await dataOf(identifier, provider)
    expect([credential, Object.keys(data?.profile ?? {}).length > 0]).toEqual([undefined, true])
  })

  test('of web logins stay after a login with an ID Token only, and so do profile items', async () => {
    const user = newUser()
    const identifier = await app.redeem(await fetchOneTimeToken(serviceStack, site, { provider: 'messaging', user }))
    const before = await dataOf(identifier, 'messaging')
    const { id_token } = await app.logInBySdk('messaging', { user })
    await app.redeem(await app.fetchToken('messaging', { id_token }))
    const after = await dataOf(identifier, 'messaging')
    expect(after.credential?.access_token).toBe(before.credential?.access_token)
    expect(after.data?.profile).toEqual(before.data?.profile)
  })
})

test('an access token is accepted as long as it is valid', async () => {
  const { access_token } = await app.logInBySdk('messaging', { user: newUser() })
  const identifier = await app.redeem(await app.fetchToken('messaging', { access_token }))
  expect(await app.redeem(await app.fetchToken('messaging', { access_token }))).toBe(identifier)
  expect((await userOf(identifier)).user.login_count).toBe(2)
})

test('the friendship status is read with the access token', async () => {
  const { client_id } = site.providers.messaging
  const { access_token } = await app.logInBySdk('messaging', { user: newUser(), client_id })
  const identifier = await app.redeem(await app.fetchToken('messaging', { access_token }))
  const { friend } = await readLinkData(serviceStack, { site: site.site, identifier })
  expect(friend?.friendship_status).toBe(false)
})

test('the name that the device’s SDK delivers is stored, and the nonce may be hashed', async () => {
  const nonce = randomUUID()
  const sha256 = createHash('sha256').update(nonce).digest('hex')
  const { id_token } = await app.logInBySdk('device', { user: newUser(), nonce: sha256 })
  const body = { id_token, nonce, user: { name: { firstName: 'Hanako', lastName: 'Yamada' } } }
  const { data } = await dataOf(await app.redeem(await app.fetchToken('device', body)), 'device')
  expect(data).toMatchObject({ profile: { full_name: 'Hanako Yamada' }, email: [{ verified: true }] })
})

test('an ID Token for our client with a known app as its authorized party is accepted', async () => {
  const { client_id } = site.providers.search
  const { id_token } = await app.logInBySdk('search', { user: newUser(), server_client_id: client_id })
  expect(await app.fetchToken('search', { id_token })).toMatch(/^slot_/)
})

function sent({ access_token, refresh_token, id_token }: Awaited<ReturnType<NativeApp['logInBySdk']>>) {
  return { access_token, refresh_token, id_token }
}

async function expectRejection(provider: NativeProvider, body: unknown, status: number, text: string): Promise<void> {
  const response = await app.inject(provider, body)
  const error: unknown = await response.json()
  expect([response.status, error]).toEqual([
    status,
    { error: expect.any(String), error_description: expect.stringContaining(text) },
  ])
}
