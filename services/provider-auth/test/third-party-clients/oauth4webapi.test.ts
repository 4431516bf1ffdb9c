import * as oauth from 'oauth4webapi'
import { expect, test } from 'vitest'
import { buildAuthorizeUrl, logIn, openTestBrowser } from '../browser.ts'
import { createSiteFixture } from '../site-fixture.ts'

const { serviceStack, site } = createSiteFixture()

/** The stack uses plain HTTP, only on loopback. */
const options = { [oauth.allowInsecureRequests]: true }

/** Completes a login with oauth4webapi and all its checks; returns what the application knows. */
async function logInWithOauth4webapi(client: oauth.Client, clientAuthentication: oauth.ClientAuth) {
  const issuer = new URL(serviceStack.auth)
  const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options))
  const { redirect_uri } = site.client
  const [codeVerifier, nonce, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomNonce(), 'a+b &c']
  const address = buildAuthorizeUrl(site, 'messaging', {
    client_id: client.client_id,
    nonce,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  })
  const callback = await logIn(openTestBrowser(), address, { user: 'Grace Hopper' })

  const parameters = oauth.validateAuthResponse(server, client, callback, state)
  const response = await oauth.authorizationCodeGrantRequest(
    ...([server, client, clientAuthentication, parameters, redirect_uri, codeVerifier, options] as const),
  )
  const checks = { expectedNonce: nonce, requireIdToken: true }
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, checks)
  await oauth.validateApplicationLevelSignature(server, response, options)
  const claims = oauth.getValidatedIdTokenClaims(tokens)
  if (claims === undefined) throw new Error('There is an ID Token, as required.')
  const result = await oauth.userInfoRequest(server, client, tokens.access_token, options)
  return { claims, userinfo: await oauth.processUserInfoResponse(server, client, claims.sub, result) }
}

const register = (kind: 'confidential' | 'public', idTokenAlg: 'RS256' | 'ES256') =>
  serviceStack.provider_auth.registerClient(
    { site: site.site, name: 'foreign', kind, id_token_alg: idTokenAlg, redirect_uris: [site.client.redirect_uri] },
    serviceStack.call(),
  )

test.each([
  ['client_secret_basic', 'RS256', oauth.ClientSecretBasic],
  ['client_secret_post', 'ES256', oauth.ClientSecretPost],
] as const)('oauth4webapi logs an end user in with %s and %s', async (_, idTokenSignedResponseAlg, authenticate) => {
  const { client_id, client_secret } = await register('confidential', idTokenSignedResponseAlg)
  const client = { client_id, id_token_signed_response_alg: idTokenSignedResponseAlg }
  const { claims, userinfo } = await logInWithOauth4webapi(client, authenticate(client_secret ?? ''))
  expect(claims.provider).toBe('messaging')
  expect(userinfo).toMatchObject({ sub: claims.sub, name: 'Grace Hopper' })
})

test('oauth4webapi logs an end user in as a public client', async () => {
  const { client_id } = await register('public', 'RS256')
  const { claims, userinfo } = await logInWithOauth4webapi({ client_id }, oauth.None())
  expect(userinfo.sub).toBe(claims.sub)
})
