import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type SeededSite, seedSite } from '#testing'
import { applicationOf } from './application.ts'
import { logInWith } from './browser.ts'
import { createNativeApp, Injected, type NativeApp } from './native-app.ts'
import { createSiteFixture } from './site-fixture.ts'

const { serviceStack, site: shop } = createSiteFixture()
/** A site whose web logins use the consumer key of the app: they yield what the SDK of the app would return. */
const { site: sdk } = createSiteFixture()
let app: NativeApp
beforeAll(async () => {
  app = createNativeApp(serviceStack, shop)
  await save(shop, { app_client_ids: sdk.providers.microblog.client_id, app_client_secret: secretOf(sdk) })
})

const secretOf = (site: SeededSite) => site.providers.microblog.client_secret

async function save(site: SeededSite, options: Record<string, string>): Promise<void> {
  const { account, site_id, site: number, providers } = site
  const { client_id, client_secret } = providers.microblog
  await serviceStack.provider_auth.saveProviderSettings(
    { site: number, account, site_id, provider: 'microblog', client_id, client_secret, options },
    serviceStack.call(),
  )
}

const Attributes = z.object({ providers: z.object({ microblog: z.record(z.string(), z.unknown()) }) })

async function readCredential(site: SeededSite, identifier: string) {
  const query = new URLSearchParams({ key: site.api_key, identifier })
  const response = await fetch(`${serviceStack.web_api}/user_attribute?${query}`)
  return Attributes.parse(await response.json()).providers.microblog
}

/** The token and secret of an end user, issued to the consumer key of a site. */
async function logInBySdk(site: SeededSite, user: string) {
  const callback = await logInWith(site, 'microblog', { user })
  const identifier = await applicationOf(serviceStack, site).userOf(callback)
  const { access_token, access_secret } = await readCredential(site, identifier)
  return z.object({ access_token: z.string(), access_secret: z.string() }).parse({ access_token, access_secret })
}

const inject = (body: object) =>
  fetch(app.addressOf('microblog_x'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const errorOf = async (body: object) => {
  const response = await inject(body)
  return [response.status, z.object({ error_description: z.string() }).parse(await response.json()).error_description]
}

describe('an app logs in with a token and secret of OAuth 1.0a', () => {
  test('of its own consumer key; they fill the fields of native apps', async () => {
    const tokens = await logInBySdk(sdk, 'App Person')
    const response = await inject({ ...tokens, expires_in: 3_600 })
    const identifier = await app.redeem(Injected.parse(await response.json()).token)
    expect(await readCredential(shop, identifier)).toMatchObject({
      client_access_token: tokens.access_token,
      client_access_secret: tokens.access_secret,
      client_expires_at: expect.stringMatching(/Z$/),
      access_token: null,
      access_secret: null,
    })
  })

  test('of the consumer key of the site', async () => {
    const tokens = await logInBySdk(shop, 'Own Person')
    expect((await inject(tokens)).status).toBe(200)
  })

  test('but not of another consumer key, with another secret, or without it', async () => {
    const other = await seedSite(serviceStack)
    const invalid = 'The provider rejected the access token. Get a new one from the SDK.'
    const tokens = await logInBySdk(other, 'Other Person')
    expect(await errorOf(tokens)).toEqual([400, invalid])
    const own = await logInBySdk(sdk, 'Another Person')
    expect(await errorOf({ ...own, access_secret: 'wrong' })).toEqual([400, invalid])
    const missing = 'Send access_secret with access_token for X, and not for other providers.'
    expect(await errorOf({ access_token: own.access_token })).toEqual([400, missing])
  })

  test('but not at a site that lists no app', async () => {
    const tokens = await logInBySdk(sdk, 'Person Without App')
    await save(shop, {})
    const [status] = await errorOf(tokens)
    await save(shop, { app_client_ids: sdk.providers.microblog.client_id, app_client_secret: secretOf(sdk) })
    expect(status).toBe(400)
  })
})
