import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DnsServer } from '#testing'
import { openBrowser, openContext, type SeededSite, type ServiceStack, seedSite, waitFor } from '#testing'
import { createAccountSteps, newUserName } from './account-steps.ts'
import { applicationOf } from './application.ts'
import { logInWith, openTestBrowser } from './browser.ts'
import { issuerAt, moveTo, proveHost, registerCallback, startHostStack } from './host-fixture.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const stack = new AsyncDisposableStack()
let serviceStack: ServiceStack
let dns: DnsServer
let site: SeededSite
let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
  stack.defer(() => browser.close())
  // For browsers, the provider must be another site.
  ;({ serviceStack, dns } = await startHostStack(stack, { simulatorHost: '127.0.0.1' }))
  site = await seedSite(serviceStack)
  const { provider_auth, call } = serviceStack
  const names = { site: site.site, account: site.account, site_id: site.site_id }
  const settings = { enabled: true, deletion_waiting_days: 14, expected_revision: 0 }
  await provider_auth.changeAccountPage({ ...names, ...settings }, call())
})
afterAll(() => stack.disposeAsync())
const steps = createAccountSteps(() => ({ serviceStack, site }))

async function allow(page: Page, name: string): Promise<void> {
  await page.getByRole('textbox').fill(name)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('heading', { name: 'Linked accounts' }).waitFor()
}

/** What axe-core finds, and whether the page scrolls sideways. The colors of login buttons are the providers'. */
async function listProblems(page: Page): Promise<unknown> {
  // The policy of the pages allows no script in them.
  await page.evaluate(axe)
  return page.evaluate(`axe.run({ rules: { region: { enabled: false } } }).then(({ violations }) => [
    ...violations.flatMap(({ id, nodes }) => nodes.filter(({ html }) => !html.includes('class="login-button')).map(({ html }) => id + html)),
    ...(document.documentElement.scrollWidth > document.documentElement.clientWidth ? ['scrolls sideways'] : []),
  ])`)
}

test.each([
  ['light', 1_280, 'en'],
  ['dark', 320, 'ar'],
] as const)('Chromium, %s and %i pixels wide: all pages are accessible', async (colorScheme, width, locale) => {
  const user = newUserName()
  const callback = await logInWith(site, 'search', { user })
  // The page lists the application that received the tokens.
  await applicationOf(serviceStack, site).redeem(callback)
  const context = await openContext(browser)
  const page = await context.newPage()
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize({ width, height: 800 })
  const open = (path = '', parameters = {}) => page.goto(steps.address(path, { ui_locales: locale, ...parameters }))
  await open()
  expect(await listProblems(page)).toEqual([])
  await page.locator('a.login-button.search').click()
  await page.getByRole('textbox').fill(user)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.locator('#applications').waitFor()
  const { client_id } = site.client
  for (const path of ['', '/add', '/end-others', '/application', '/download', '/delete']) {
    await open(path, { client_id })
    expect(await listProblems(page)).toEqual([])
  }
  await page.locator('button.go').click()
  await page.locator('#deletion + .caution time').waitFor()
  expect(await listProblems(page)).toEqual([])
  await context.close()
})

test('Chromium without scripts: a user adds and removes an account and downloads the data; the policy blocks nothing', async () => {
  const user = newUserName()
  await logInWith(site, 'search', { user })
  const context = await openContext(browser, { scripts: false })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  await page.goto(steps.address())
  await page.getByRole('link', { name: 'Sign in with Google' }).click()
  await allow(page, user)
  await page.getByRole('link', { name: 'Add an account' }).click()
  await page.getByRole('button', { name: 'Log in with LINE' }).click()
  await allow(page, newUserName())
  await page.getByText('The account was added.').waitFor()
  await page.getByRole('link', { name: 'Remove LINE' }).click()
  await page.getByRole('button', { name: 'Remove account' }).click()
  await page.getByText('The account was removed.').waitFor()

  await page.getByRole('link', { name: 'Download data' }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download file' }).click()
  expect((await downloading).suggestedFilename()).toBe('account-data.json')
  await page.getByRole('link', { name: 'Back to your account' }).click()
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByText('You are logged out.').waitFor()
  expect(complaints.filter((complaint) => /policy|refused/i.test(complaint))).toEqual([])
  await context.close()
})

test('on the host of the site, addresses stay there and do not name the site', async () => {
  const host = 'login.account-page.localhost'
  await proveHost(serviceStack, dns, site, host)
  const issuer = issuerAt(serviceStack, host)
  const user = newUserName()
  await registerCallback(serviceStack, site, issuer)
  await logInWith(moveTo(site, issuer), 'messaging', { user })
  const own = openTestBrowser()
  const page = await (await own.open(`${issuer}/account`)).text()
  expect(await steps.logIn(own, user, { provider: 'messaging', page })).toBe(`${issuer}/account`)
  expect(await (await own.open(`${issuer}/account`)).text()).toContain('Linked accounts')
  const { addresses } = await serviceStack.provider_auth.readAccountPage(
    { site: site.site, account: site.account, site_id: site.site_id },
    serviceStack.call(),
  )
  expect(addresses).toEqual([`${issuer}/account`, steps.address().replaceAll('%2F', '/')])
})

test('while Redis is unavailable, the page says so and works afterwards', async () => {
  const user = newUserName()
  await logInWith(site, 'search', { user })
  const member = steps.newBrowser()
  await steps.logIn(member, user)
  await serviceStack.redis.stop()
  try {
    const response = await member.open(steps.address())
    expect([response.status, response.headers.has('retry-after')]).toEqual([503, true])
    expect(await response.text()).toContain('The service is temporarily unavailable')
  } finally {
    await serviceStack.redis.start()
  }
  // The restarted server has no sessions.
  await waitFor(async () => expect(await steps.read(member)).toContain('Log in to your account'))
})
