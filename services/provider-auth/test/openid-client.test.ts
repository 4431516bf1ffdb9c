import * as oidc from 'openid-client'
import { beforeAll, expect, test } from 'vitest'
import { type SeededSite, type SharedStack, seedSite, sharedStack } from '#testing'
import { logIn, openTestBrowser } from './browser.ts'

let serviceStack: SharedStack
let site: SeededSite
beforeAll(async () => {
  serviceStack = await sharedStack()
  site = await seedSite(serviceStack)
})

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
