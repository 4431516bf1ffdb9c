import * as oidc from 'openid-client'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { logIn, openTestBrowser } from './browser.ts'
import { createSiteFixture } from './site-fixture.ts'

const { serviceStack, site } = createSiteFixture()

type Setting = (configuration: oidc.Configuration) => void

/** The client discovers everything except the provider's path, which is configured. */
async function prepare(...settings: Setting[]) {
  const { client_id, client_secret, redirect_uri } = site.client
  const issuer = new URL(serviceStack.auth)
  const execute = [oidc.allowInsecureRequests, ...settings]
  const configuration = await oidc.discovery(issuer, client_id, client_secret, undefined, { execute })
  const addressOf = (parameters: Record<string, string>) => {
    const address = new URL(site.providers.messaging.authorize_uri)
    address.search = oidc.buildAuthorizationUrl(configuration, { redirect_uri, ...parameters }).search
    return address.href
  }
  return { configuration, addressOf }
}

test('openid-client logs in with the ID Token flow', async () => {
  const { configuration, addressOf } = await prepare(oidc.useIdTokenResponseType)
  const nonce = oidc.randomNonce()
  const address = addressOf({ scope: 'openid profile', nonce, state: 's', response_mode: 'fragment' })
  const callback = await logIn(openTestBrowser(), address, { user: 'Front Channel' })
  const claims = await oidc.implicitAuthentication(configuration, callback, nonce, { expectedState: 's' })
  expect(claims).toMatchObject({ name: 'Front Channel', provider: 'messaging' })
})

test('openid-client recognizes a denial', async () => {
  const { configuration, addressOf } = await prepare()
  const callback = await logIn(openTestBrowser(), addressOf({ scope: 'openid', state: 's' }), { decision: 'deny' })
  const reading = oidc.authorizationCodeGrant(configuration, callback, { expectedState: 's' })
  await expect(reading).rejects.toMatchObject({ name: 'AuthorizationResponseError', error: 'ACCESS_DENIED' })
})

test('openid-client changes user_metadata with the token of a public client that may, also after a login without interaction', async () => {
  const { identity, provider_auth, call } = serviceStack
  const redirectUris = [site.client.redirect_uri]
  const registration = { site: site.site, name: 'app', kind: 'public', redirect_uris: redirectUris } as const
  const { client_id } = await provider_auth.registerClient(registration, call())
  const configuration = await oidc.discovery(new URL(serviceStack.auth), client_id, undefined, oidc.None(), {
    execute: [oidc.allowInsecureRequests],
  })
  const browser = openTestBrowser()
  const authorize = async (parameters: Record<string, string> = {}) => {
    const verifier = oidc.randomPKCECodeVerifier()
    const address = new URL(site.providers.messaging.authorize_uri)
    address.search = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: site.client.redirect_uri,
      scope: 'openid user_metadata:write',
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...parameters,
    }).search
    const redeem = (callback: URL) =>
      oidc.authorizationCodeGrant(configuration, callback, { pkceCodeVerifier: verifier })
    return { href: address.href, redeem }
  }
  const rejected = await browser.open((await authorize()).href)
  expect(new URL(rejected.headers.get('location') ?? '').searchParams.get('error')).toBe('invalid_scope')

  const name = { site: site.site, client_id }
  await provider_auth.changeClient({ ...name, expected_revision: 1, user_metadata_write: true }, call())
  const login = await authorize()
  const tokens = await login.redeem(await logIn(browser, login.href, { user: 'Single Page' }))
  expect(tokens.scope).toBe('openid user_metadata:write')
  const endpoint = new URL(z.string().parse(configuration.serverMetadata().user_metadata_endpoint))
  const headers = new Headers({ 'content-type': 'application/merge-patch+json', 'if-match': '"0"' })
  const patch = (token: string, body: string) =>
    oidc.fetchProtectedResource(configuration, token, endpoint, 'PATCH', body, headers)
  expect(await (await patch(tokens.access_token, '{"language":"ja"}')).json()).toEqual({ language: 'ja' })

  const silent = await authorize({ prompt: 'none' })
  const location = (await browser.open(silent.href)).headers.get('location') ?? ''
  const renewed = await silent.redeem(new URL(location))
  const read = await oidc.fetchProtectedResource(configuration, renewed.access_token, endpoint, 'GET')
  expect([read.headers.get('etag'), await read.json()]).toEqual(['"1"', { language: 'ja' }])
  expect(await oidc.fetchUserInfo(configuration, renewed.access_token, oidc.skipSubjectCheck)).not.toHaveProperty(
    'user_metadata',
  )

  // The account page lists the application among those that receive this data.
  const identifier = z.string().parse(tokens.claims()?.sub)
  const { links } = await identity.resolveUser({ site: site.site, identifier }, call())
  const recipientsOf = { site: site.site, link_ids: links.map(({ link_id }) => link_id) }
  const { recipients } = await provider_auth.readDataRecipients(recipientsOf, call())
  expect(recipients).toMatchObject([{ client_id, received: ['openid', 'user_metadata'] }])
})
