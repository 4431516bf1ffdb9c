import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openBrowser, openContext, type SeededSite, type SharedStack, seedSite, sharedStack } from '#testing'
import type { ProviderName } from '../browser.ts'
import { type BrowserApplication, startBrowserApplication } from './browser-application.ts'

const stack = new AsyncDisposableStack()
let browser: Browser
let serviceStack: SharedStack
let site: SeededSite
let clientId: string
let application: BrowserApplication
beforeAll(async () => {
  browser = await openBrowser()
  stack.defer(() => browser.close())
  serviceStack = await sharedStack()
  application = stack.use(await startBrowserApplication())
  const redirectUris: [string] = [application.redirect_uri]
  site = await seedSite(serviceStack, { redirect_uris: redirectUris })
  const registration = { site: site.site, name: 'page', kind: 'public', redirect_uris: redirectUris } as const
  clientId = (await serviceStack.provider_auth.registerClient(registration, serviceStack.call())).client_id
})
afterAll(() => stack.disposeAsync())

/** Logs in at the application's page; returns the text that it shows. Without a provider, the end user chooses one. */
async function logIn(page: Page, provider: ProviderName | undefined, user: string): Promise<string> {
  // Directly to one provider; everything else comes from discovery.
  const metadataSeed = provider && { authorization_endpoint: site.providers[provider].authorize_uri }
  application.configure({ authority: serviceStack.auth, metadataSeed, client_id: clientId, scope: 'openid profile' })
  await page.goto(application.home)
  await page.getByRole('button', { name: 'Log in' }).click()
  if (provider === undefined) await page.getByRole('link', { name: 'Log in with LINE' }).click()
  await page.getByRole('textbox').fill(user)
  await page.getByRole('button', { name: 'Allow' }).click()
  const output = page.getByRole('status').filter({ hasText: /./ })
  return (await output.textContent()) ?? ''
}

/** Changes the JSON of one of our responses to the page. */
const alter = (page: Page, path: string, change: (result: Record<string, unknown>) => Record<string, unknown>) =>
  page.route(`${serviceStack.auth}${path}`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: change(z.looseObject({}).parse(await response.json())) })
  })

test('oidc-client-ts in Chromium logs in an end user with discovery only', async () => {
  const context = await openContext(browser)
  const shownText = await logIn(await context.newPage(), undefined, 'Ada Lovelace')
  expect(shownText).toMatch(/^Welcome Ada Lovelace, [0-9a-f]{40}$/)
  await context.close()
})

describe.each<ProviderName>(['messaging', 'search'])('oidc-client-ts in Chromium through %s', (provider) => {
  test('logs an end user in, as a public client with PKCE', async () => {
    const context = await openContext(browser)
    const shownText = await logIn(await context.newPage(), provider, 'Ada Lovelace')
    expect(shownText).toMatch(/^Welcome Ada Lovelace, [0-9a-f]{40}$/)
    await context.close()
  })

  test.each([
    ['state', { state: 'another' }, 'No matching state'],
    ['code', { code: 'slac_another' }, 'Authorization code is invalid.'],
  ])('rejects a response with another %s', async (_, parameters, reason) => {
    const context = await openContext(browser)
    application.alterCallback(parameters)
    expect(await logIn(await context.newPage(), provider, 'Mallory')).toContain(`Login failed: ${reason}`)
    await context.close()
  })

  test("rejects an ID Token with another login's nonce, and another user's userinfo", async () => {
    let idToken: unknown
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => openContext(browser).then((c) => c.newPage())))
    if (first === undefined || second === undefined || third === undefined) throw new Error('Three pages were opened.')
    await alter(first, '/oauth2/token', (response) => {
      idToken = response.id_token
      return response
    })
    expect(await logIn(first, provider, 'Grace Hopper')).toContain('Welcome')
    await alter(second, '/oauth2/token', (response) => ({ ...response, id_token: idToken }))
    expect(await logIn(second, provider, 'Grace Hopper')).toContain('Login failed: nonce')
    await alter(third, '/oauth2/userinfo', (response) => ({ ...response, sub: 'f'.repeat(40) }))
    expect(await logIn(third, provider, 'Grace Hopper')).toContain('Login failed: subject')
    await Promise.all([first, second, third].map((page) => page.context().close()))
  })
})
