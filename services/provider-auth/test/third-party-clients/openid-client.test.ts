import * as oidc from 'openid-client'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { logIn, openTestBrowser, type ProviderName } from '../browser.ts'
import { createSiteFixture } from '../site-fixture.ts'
import { withBrokenSignature } from './token-proxy.ts'

const { serviceStack, site } = createSiteFixture()

/** An application as in `docs/use/openid-provider.md`; plain HTTP is only for loopback. */
async function prepare(provider: ProviderName) {
  const { client_id, client_secret, redirect_uri } = site.client
  const configuration = await oidc.discovery(new URL(serviceStack.auth), client_id, client_secret, undefined, {
    execute: [oidc.enableNonRepudiationChecks, oidc.allowInsecureRequests],
  })
  const pkceCodeVerifier = oidc.randomPKCECodeVerifier()
  const expectedState = oidc.randomState()
  const expectedNonce = oidc.randomNonce()
  const address = new URL(site.providers[provider].authorize_uri)
  address.search = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri,
    scope: 'openid profile',
    state: expectedState,
    nonce: expectedNonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  }).search
  const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true }
  return { configuration, checks, callback: await logIn(openTestBrowser(), address.href, { user: 'Ada Lovelace' }) }
}

describe.each<ProviderName>(['messaging', 'search'])('openid-client through %s', (provider) => {
  test('logs an end user in, with PKCE, state and nonce, and checks the signature', async () => {
    const { configuration, checks, callback } = await prepare(provider)
    const tokens = await oidc.authorizationCodeGrant(configuration, callback, checks)
    const sub = tokens.claims()?.sub ?? ''
    const claims = await oidc.fetchUserInfo(configuration, tokens.access_token, sub)
    expect(claims).toMatchObject({ sub: expect.stringMatching(/^[0-9a-f]{40}$/), name: 'Ada Lovelace', provider })
  })

  test('rejects an ID Token with another signature', async () => {
    const { configuration, checks, callback } = await prepare(provider)
    configuration[oidc.customFetch] = async (address, { body, method, headers }) => {
      const response = await fetch(address, { method, headers, body: body ?? null })
      if (!address.endsWith('/oauth2/token')) return response
      const tokens = z.looseObject({ id_token: z.string() }).parse(await response.json())
      return Response.json({ ...tokens, id_token: withBrokenSignature(tokens.id_token) })
    }
    const reading = oidc.authorizationCodeGrant(configuration, callback, checks)
    await expect(reading).rejects.toMatchObject({ cause: { message: expect.stringContaining('signature') } })
  })

  test.each([
    ['state', { expectedState: 'another' }],
    ['nonce', { expectedNonce: 'another' }],
    ['verifier', { pkceCodeVerifier: 'a'.repeat(43) }],
  ])('rejects a response to a request with another %s', async (_, changed) => {
    const { configuration, checks, callback } = await prepare(provider)
    await expect(oidc.authorizationCodeGrant(configuration, callback, { ...checks, ...changed })).rejects.toThrow()
  })
})
