import { decodeJwt } from 'jose'
import type { Configuration } from 'oidc-provider'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { hiddenFields, openTestBrowser, type TestBrowser } from './browser.ts'
import { buildLoginUrl, followToApplication, saveConfigured } from './configured-login.ts'
import { type ForeignProvider, foreignUser, startForeignProvider } from './foreign-provider.ts'
import { createSiteFixture } from './site-fixture.ts'

const goodbye = 'https://shop.example.com/goodbye'

const { serviceStack, site, application } = createSiteFixture()
beforeAll(async () => {
  const { client_id } = site.client
  await serviceStack.provider_auth.changeClient(
    { site: site.site, client_id, expected_revision: 1, post_logout_redirect_uris: [goodbye] },
    serviceStack.call(),
  )
})

/** Configures a provider of others under a name, which ends sessions at it. */
async function configure(provider: string, changes: object = {}): Promise<ForeignProvider> {
  const name = { site: site.site, provider }
  const read = await serviceStack.provider_auth.readProviderSettings(name, serviceStack.call())
  const client = { client_id: 'login-service', client_secret: 'a-secret-of-the-provider-and-of-us' }
  const registered = {
    ...client,
    redirect_uris: [read.provider_callback],
    post_logout_redirect_uris: [`${serviceStack.auth}/oauth2/logout/return`],
    grant_types: ['authorization_code', 'refresh_token'],
  }
  const configuration: Configuration = { clients: [registered] }
  const foreign = await startForeignProvider(configuration)
  onTestFinished(() => foreign[Symbol.asyncDispose]())
  const protocol = { issuer: foreign.url, ends_session: true, ...changes }
  const saved = await saveConfigured(serviceStack, site, provider, { client, protocol })
  expect(saved).toMatchObject({
    missing: [],
    logout_return_uri: `${serviceStack.auth}/oauth2/logout/return`,
    endpoints: { end_session: expect.stringContaining(foreign.url) },
  })
  return foreign
}

/** Logs in in a browser, and returns our ID Token. */
async function logIn(provider: string, browser: TestBrowser): Promise<string> {
  const name = { site: site.site, provider }
  const { authorize_uri } = await serviceStack.provider_auth.readProviderSettings(name, serviceStack.call())
  const url = `${buildLoginUrl(site, authorize_uri ?? '', 'openid')}&nonce=n`
  return (await application.redeem(await followToApplication(site, url, browser))).id_token
}

const logout = (parameters: Record<string, string>) =>
  `${serviceStack.auth}/oauth2/logout?${new URLSearchParams(parameters)}`

async function openLocation(browser: TestBrowser, address: string): Promise<string> {
  const response = await browser.open(address)
  expect(response.status).toBe(303)
  return response.headers.get('location') ?? ''
}

/** Confirms the provider's own question. */
async function confirmAtProvider(browser: TestBrowser, address: string): Promise<string> {
  const page = await (await browser.open(address)).text()
  const [, action = ''] = /action="([^"]+)"/.exec(page) ?? []
  const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page) ?? []
  return (await browser.open(action, { xsrf, logout: 'yes' })).headers.get('location') ?? ''
}

describe('a logout after a login at a provider that ends its session', () => {
  test('goes on there with its ID Token, and returns to the application', async () => {
    const foreign = await configure('staff')
    const browser = openTestBrowser()
    const idTokenHint = await logIn('staff', browser)
    const address = logout({ id_token_hint: idTokenHint, post_logout_redirect_uri: goodbye, state: 'a b' })
    const atProvider = await openLocation(browser, address)
    const { origin, searchParams } = new URL(atProvider)
    expect(origin).toBe(foreign.url)
    expect(decodeJwt(searchParams.get('id_token_hint') ?? '')).toMatchObject({ iss: foreign.url, sub: foreignUser.sub })
    expect(searchParams.get('client_id')).toBe('login-service')

    const back = await confirmAtProvider(browser, atProvider)
    expect(back).toMatch(`${serviceStack.auth}/oauth2/logout/return?state=`)
    expect(await openLocation(browser, back)).toBe(`${goodbye}?state=a%20b`)
  })

  test('shows our page at the end if the application named no address', async () => {
    await configure('staff_page')
    const browser = openTestBrowser()
    await logIn('staff_page', browser)
    const question = await browser.open(logout({ client_id: site.client.client_id }))
    expect(question.headers.get('content-security-policy')).toContain("form-action 'self' http: https:")
    const confirmed = await browser.open(`${serviceStack.auth}/oauth2/logout`, hiddenFields(await question.text()))
    const back = await confirmAtProvider(browser, confirmed.headers.get('location') ?? '')
    const ended = await browser.open(back)
    expect([ended.status, await ended.text()]).toEqual([200, expect.stringContaining('You are logged out')])
  })

  test.each(['', '?state=forged'])('shows our page for a return with %o, and goes nowhere', async (query) => {
    const response = await openTestBrowser().open(`${serviceStack.auth}/oauth2/logout/return${query}`)
    expect([response.status, response.headers.get('location')]).toEqual([200, null])
  })
})

test('settings are rejected that end sessions at a provider without an end-session endpoint', async () => {
  const endpoints = Object.fromEntries(
    ['authorization', 'token', 'jwks'].map((name) => [name, `http://localhost/${name}`]),
  )
  await expect(configure('no_logout', { endpoints })).rejects.toMatchObject({
    fields: [{ field: 'definition.protocol.ends_session' }],
  })
})
