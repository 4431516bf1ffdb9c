import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtInLoginProviders } from '#contracts'
import { openBrowser, openContext, type SeededSite, type ServiceStack, seedSite, startStack } from '#testing'
import { buildAuthorizeUrl, buildLinkUrl, fetchOneTimeToken } from './browser.ts'

let stack: AsyncDisposableStack
let serviceStack: ServiceStack
let site: SeededSite
let browser: Browser
beforeAll(async () => {
  stack = new AsyncDisposableStack()
  browser = await openBrowser()
  stack.defer(() => browser.close())
  // For browsers, the provider must be another site.
  serviceStack = stack.use(await startStack({ simulatorHost: '127.0.0.1' }))
  const application = createServer((_, response) => response.end('welcome back')).listen(0)
  await once(application, 'listening')
  stack.defer(() => {
    application.closeAllConnections()
    application.close()
  })
  const address = application.address()
  const port = typeof address === 'object' ? address?.port : undefined
  site = await seedSite(serviceStack, { redirect_uris: [`http://127.0.0.1:${port}/callback`] })
})
afterAll(() => stack.disposeAsync())

async function allow(page: Page, name: string): Promise<URL> {
  await page.getByRole('textbox').fill(name)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('welcome back').waitFor()
  return new URL(page.url())
}

test.each(builtInLoginProviders)(
  'Chromium, five tabs opened at once and finished in reverse order: each logs in through %s',
  async (provider) => {
    const context = await openContext(browser)
    const tabs = await Promise.all(
      ['1', '2', '3', '4', '5'].map(async (state) => {
        const page = await context.newPage()
        await page.goto(buildAuthorizeUrl(site, provider, { state }))
        return { state, page }
      }),
    )
    for (const { state, page } of tabs.reverse()) {
      const callback = await allow(page, `Tab ${state}`)
      expect(callback.searchParams.get('state')).toBe(state)
      expect(callback.searchParams.has('code')).toBe(true)
    }
    const remaining = await context.cookies()
    // Those of the responses last half a minute.
    const names = remaining.map(({ name }) => name).filter((name) => !name.startsWith('returned-'))
    expect(names).toEqual([expect.stringMatching(/^session-[0-9a-f]{12}$/)])
    await context.close()
  },
)

test.each([
  ['with scripts, the form posts itself', true],
  ['without scripts, the form has a button', false],
])(
  'Chromium, %s: the cross-site POST has none of our cookies, and the login completes',
  async (_, javaScriptEnabled) => {
    const context = await browser.newContext({ javaScriptEnabled })
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    const returned = page.waitForRequest((request) => request.url().includes('/oauth2/callback/device/'))
    await page.goto(buildAuthorizeUrl(site, 'device'))
    await page.getByRole('textbox').fill('Posts A Form')
    await page.getByRole('button', { name: 'Allow' }).click()
    if (!javaScriptEnabled) await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('welcome back').waitFor()
    expect(new URL(page.url()).searchParams.has('code')).toBe(true)
    const request = await returned
    expect({ method: request.method(), cookie: (await request.allHeaders()).cookie }).toEqual({
      method: 'POST',
      cookie: undefined,
    })
    expect(complaints.filter((complaint) => /policy|refused/i.test(complaint))).toEqual([])
    await context.close()
  },
)

test('Chromium, back to the callback of a completed login: an error page with its stylesheet, and the policy blocks nothing', async () => {
  const context = await openContext(browser)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  let callback = ''
  page.on('request', (request) => {
    if (request.url().includes('/oauth2/callback/')) callback = request.url()
  })
  await page.goto(buildAuthorizeUrl(site, 'search'))
  await allow(page, 'Goes Back')
  complaints.length = 0
  // As after half a minute, in which the same response would be repeated.
  await context.clearCookies({ name: /^returned-/ })
  const response = await page.goto(callback)
  expect(response?.status()).toBe(400)
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('This login has ended')
  expect(await page.evaluate(`getComputedStyle(document.querySelector('main')).maxWidth`)).toBe('512px')
  expect(complaints.filter((complaint) => /policy|refused/i.test(complaint))).toEqual([])
  await context.close()
})

test('Chromium without scripts: chooses a provider, logs in, links and sees errors', async () => {
  const context = await openContext(browser, { scripts: false })
  const page = await context.newPage()
  const { search } = new URL(buildAuthorizeUrl(site, 'search'))
  await page.goto(`${serviceStack.auth}/oauth2/authorize${search}`)
  await page.getByRole('link', { name: 'Sign in with Google' }).click()
  expect((await allow(page, 'Runs No Scripts')).searchParams.has('code')).toBe(true)

  await page.goto(await linkingAddress('Links Without Scripts'))
  await page.getByRole('button', { name: 'Continue to Google' }).click()
  expect((await allow(page, 'Linked Without Scripts')).searchParams.get('status')).toBe('authorized')

  await page.goto(buildAuthorizeUrl(site, 'search', { client_id: 'unknown' }))
  await page.getByText('Details').click()
  await page.getByText('client_id is invalid.').waitFor()
  await context.close()
})

/** The URL at which a new user links a search account. */
async function linkingAddress(user: string): Promise<string> {
  const { provider_auth, call } = serviceStack
  const token = await fetchOneTimeToken(serviceStack, site, { user })
  const { identifier } = await provider_auth.redeemOneTimeToken({ site: site.site, token }, call())
  const input = { site: site.site, identifier, provider: 'search' } as const
  return buildLinkUrl((await provider_auth.issueAssociationToken(input, call())).authenticate_uri, site)
}

test.each([
  ['allowed', 'Continue to Google', 'authorized'],
  ['cancelled', 'Cancel', 'failed'],
])('Chromium, a link that is %s returns to the callback, and the policy blocks nothing', async (_, button, status) => {
  const context = await openContext(browser)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  await page.goto(await linkingAddress(`User who is ${status}`))
  expect(await page.getByRole('definition').allTextContents()).toContainEqual(expect.stringContaining('User who'))
  await page.getByRole('button', { name: button }).click()
  if (status === 'authorized') await allow(page, `Linked ${status}`)
  await page.getByText('welcome back').waitFor()
  expect(new URL(page.url()).searchParams.get('status')).toBe(status)
  expect(complaints.filter((complaint) => /policy|refused/i.test(complaint))).toEqual([])
  await context.close()
})
