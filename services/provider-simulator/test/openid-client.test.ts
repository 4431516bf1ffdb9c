import * as oidc from 'openid-client'
import { expect, test } from 'vitest'
import { register, signIn, startSimulator } from './simulator.ts'

const clientId = 'an-app'
const clientSecret = '~secret-of-an-app!'
const redirectUri = 'http://localhost:9/callback'

test.each([
  ['client_secret_post', oidc.ClientSecretPost(clientSecret)],
  ['client_secret_basic', oidc.ClientSecretBasic(clientSecret)],
])('openid-client logs in through search with %s, with every signature checked', async (_, authentication) => {
  await using simulator = await startSimulator()
  await register(simulator.url, {
    provider: 'search',
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uris: [redirectUri],
  })
  const config = await oidc.discovery(new URL(`${simulator.url}/search`), clientId, {}, authentication, {
    execute: [oidc.allowInsecureRequests, oidc.enableNonRepudiationChecks],
  })
  const [expectedState, expectedNonce] = [oidc.randomState(), oidc.randomNonce()]
  const pkceCodeVerifier = oidc.randomPKCECodeVerifier()
  const authorization = oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    state: expectedState,
    nonce: expectedNonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    access_type: 'offline',
  })
  const callback = await signIn(authorization.href, { user: 'Hanako Yamada' })

  const tokens = await oidc.authorizationCodeGrant(config, callback, { expectedState, expectedNonce, pkceCodeVerifier })
  const claims = tokens.claims()
  expect(claims).toMatchObject({ name: 'Hanako Yamada', aud: clientId })
  expect(await oidc.fetchUserInfo(config, tokens.access_token, claims?.sub ?? '')).toMatchObject({
    email_verified: true,
  })

  const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '')
  expect(refreshed.claims()?.sub).toBe(claims?.sub)
  await oidc.tokenRevocation(config, tokens.refresh_token ?? '')
  await expect(oidc.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  })
})

test('openid-client finds portal by its issuer’s path, logs in and refreshes', async () => {
  await using simulator = await startSimulator()
  await register(simulator.url, {
    provider: 'portal',
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uris: [redirectUri],
  })
  const issuer = new URL(`${simulator.url}/portal/yconnect/v2`)
  const config = await oidc.discovery(issuer, clientId, {}, oidc.ClientSecretPost(clientSecret), {
    execute: [oidc.allowInsecureRequests, oidc.enableNonRepudiationChecks],
  })
  const expectedNonce = oidc.randomNonce()
  const parameters = { redirect_uri: redirectUri, scope: 'openid profile', nonce: expectedNonce, bail: '1' }
  const callback = await signIn(oidc.buildAuthorizationUrl(config, parameters).href, { user: 'Hanako Yamada' })
  const tokens = await oidc.authorizationCodeGrant(config, callback, { expectedNonce })
  const claims = tokens.claims()
  expect(claims?.aud).toEqual([clientId])
  expect(await oidc.fetchUserInfo(config, tokens.access_token, claims?.sub ?? '')).toMatchObject({
    name: 'Hanako Yamada',
  })
  const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '')
  expect(refreshed.refresh_token).toBeUndefined()
})
