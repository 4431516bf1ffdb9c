import { describe, expect, test } from 'vitest'
import { logIn, openTestBrowser, type ProviderName } from '../browser.ts'
import { createSiteFixture } from '../site-fixture.ts'
import { authCoreCallback, openAuthCoreApplication } from './auth-core.ts'

const { serviceStack, site } = createSiteFixture({ redirect_uris: [authCoreCallback] })

type Alter = (tokens: Record<string, unknown>) => Record<string, unknown>

/** Completes a login up to the application's callback, which is not opened yet. */
async function signInAtProvider(provider: ProviderName, user: string, alter?: Alter) {
  const application = { client: site.client, provider: site.providers[provider], ...(alter && { alter }) }
  const authCore = openAuthCoreApplication(serviceStack, application)
  const callback = await logIn(openTestBrowser(), await authCore.startLogin(), { user })
  return { ...authCore, callback }
}

describe.each<ProviderName>(['messaging', 'search'])('@auth/core through %s', (provider) => {
  test('logs an end user in, with PKCE, state and nonce', async () => {
    const { callback, open, readUser } = await signInAtProvider(provider, 'Ada Lovelace')
    expect(await readUser()).toBeUndefined()
    await open(callback.href)
    expect(await readUser()).toEqual({ id: expect.stringMatching(/^[0-9a-f]{40}$/), name: 'Ada Lovelace' })
  })

  test.each([
    ['state', 'another'],
    ['iss', 'https://evil.example'],
    ['code', 'slac_another'],
  ])('rejects a response with another %s', async (name, value) => {
    const { callback, open, readUser } = await signInAtProvider(provider, 'Mallory')
    callback.searchParams.set(name, value)
    const response = await open(callback.href)
    expect(response.headers.get('location')).toContain('error')
    expect(await readUser()).toBeUndefined()
  })

  test("rejects an ID Token with another login's nonce", async () => {
    let idToken: unknown
    const first = await signInAtProvider(provider, 'Grace Hopper', (tokens) => {
      idToken = tokens.id_token
      return tokens
    })
    await first.open(first.callback.href)
    const second = await signInAtProvider(provider, 'Grace Hopper', (tokens) => ({ ...tokens, id_token: idToken }))
    const response = await second.open(second.callback.href)
    expect(response.headers.get('location')).toContain('error')
    expect([await first.readUser(), await second.readUser()]).toEqual([expect.anything(), undefined])
  })
})
