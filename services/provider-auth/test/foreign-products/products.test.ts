import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openForTest, readLinkData, type SeededSite, type SharedStack, seedSite, sharedStack } from '#testing'
import { type Application, applicationOf } from '../application.ts'
import { openTestBrowser, type TestBrowser } from '../browser.ts'
import { buildLoginUrl, saveConfigured } from '../configured-login.ts'
import { dex } from './dex.ts'
import { hydra } from './hydra.ts'
import { keycloak } from './keycloak.ts'
import type { RunningProduct } from './product.ts'
import { follow, followToCallback } from './sign-in.ts'

const provider = 'staff'
const client = { client_id: 'login-service', client_secret: 'a-secret-of-the-provider-and-of-us' }
const goodbye = 'https://shop.example.com/goodbye'

describe.each([keycloak, hydra, dex])('$name', ({ program, start }) => {
  describe.skipIf(program === undefined)('as a provider that a site configured by its issuer', () => {
    let stack: SharedStack
    let site: SeededSite
    let application: Application
    let product: RunningProduct
    beforeAll(async () => {
      stack = await sharedStack()
      site = await seedSite(stack)
      application = applicationOf(stack, site)
      const { provider_callback } = await readSettings()
      const logoutReturn = `${stack.auth}/oauth2/logout/return`
      product = await start({ ...client, callback: provider_callback, logout_return: logoutReturn })
      await stack.provider_auth.changeClient(
        {
          site: site.site,
          client_id: site.client.client_id,
          expected_revision: 1,
          post_logout_redirect_uris: [goodbye],
        },
        stack.call(),
      )
      expect(await save({ issuer: product.issuer })).toMatchObject({ missing: [] })
    }, 300_000)
    afterAll(() => product?.[Symbol.asyncDispose](), 60_000)

    const readSettings = () => stack.provider_auth.readProviderSettings({ site: site.site, provider }, stack.call())
    const save = (protocol: object) =>
      saveConfigured(stack, site, provider, {
        client,
        protocol: { ends_session: product.endsSessions, ...product.protocol, ...protocol },
      })

    async function logIn(browser: TestBrowser = openTestBrowser()): Promise<URL> {
      const { authorize_uri } = await readSettings()
      const start = `${buildLoginUrl(site, authorize_uri ?? '', 'openid email profile')}&nonce=n`
      return followToCallback(site, browser, start, product)
    }

    /** The user of a login, with what is stored about the account. */
    async function logInAsUser() {
      const identifier = await application.userOf(await logIn())
      const { links, data, credentials } = await readLinkData(stack, { site: site.site, identifier })
      return { identifier, link_id: links[0]?.link_id ?? '', data, credentials }
    }

    test('logs the end user in, with e-mail address and tokens', async () => {
      const { identifier, data, credentials } = await logInAsUser()
      expect(data[provider]).toMatchObject({ email: [{ email: product.email, verified: true }] })
      expect(credentials[provider]).toMatchObject({
        access_token: expect.any(String),
        refresh_token: expect.any(String),
      })
      expect((await logInAsUser()).identifier).toBe(identifier)
    })

    test('refreshes its tokens', async () => {
      const { link_id, credentials } = await logInAsUser()
      await using database = openForTest(stack.database_urls.provider_auth)
      await database
        .knex('credentials')
        .where({ link_id })
        .update({ expires_at: new Date(Date.now() - 60_000) })
      const read = await stack.provider_auth.readCredentials({ site: site.site, link_ids: [link_id] }, stack.call())
      const refreshed = read.credentials[link_id]
      expect(refreshed).toMatchObject({ access_token: expect.any(String), refresh_token: expect.any(String) })
      expect(refreshed?.access_token).not.toBe(credentials[provider]?.access_token)
    })

    test('replaces its keys without a failed login', async ({ skip }) => {
      const { rotateKeys } = product
      if (rotateKeys === undefined) return skip('It has no interface for that.')
      const { identifier } = await logInAsUser()
      // More often than keys that no one knows are looked for.
      for (let round = 0; round < 3; round++) {
        await rotateKeys()
        expect((await logInAsUser()).identifier).toBe(identifier)
      }
    })

    test('revokes its tokens when the user is deleted', async ({ skip }) => {
      const { isActive } = product
      if (isActive === undefined) return skip('It does not say whether a token is valid.')
      const { identifier, credentials } = await logInAsUser()
      const token = credentials[provider]?.access_token ?? ''
      expect(await isActive(token)).toBe(true)
      await stack.identity.deleteUser({ site: site.site, identifier }, stack.call())
      await expect.poll(() => isActive(token)).toBe(false)
    })

    test('ends its session at a logout, and returns to the application', async ({ skip }) => {
      if (!product.endsSessions) return skip('It has no end-session endpoint.')
      const browser = openTestBrowser()
      const { id_token } = await application.redeem(await logIn(browser))
      const query = new URLSearchParams({ id_token_hint: id_token, post_logout_redirect_uri: goodbye, state: 's' })
      const end = await follow(browser, `${stack.auth}/oauth2/logout?${query}`, goodbye, product)
      expect(end.href).toBe(`${goodbye}?state=s`)
    })

    test('is not accepted with an issuer that its discovery document does not have', async () => {
      const wrong = product.issuer.replace('localhost', '127.0.0.1')
      await expect(save({ issuer: wrong })).rejects.toMatchObject({
        fields: [{ field: 'definition.protocol.issuer' }],
      })
    })
  })
})
