import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Constellation, openBrowser, openContext, type SeededSite, seedSite, startConstellation } from '#testing'
import { authorizeAddress, type ProviderName } from './browser.ts'

let stack: AsyncDisposableStack
let constellation: Constellation
let site: SeededSite
let browser: Browser
beforeAll(async () => {
  stack = new AsyncDisposableStack()
  browser = await openBrowser()
  stack.defer(() => browser.close())
  constellation = stack.use(await startConstellation())
  const application = createServer((_, response) => response.end('welcome back')).listen(0)
  await once(application, 'listening')
  stack.defer(() => {
    application.closeAllConnections()
    application.close()
  })
  const address = application.address()
  const port = typeof address === 'object' ? address?.port : undefined
  site = await seedSite(constellation, { redirect_uris: [`http://127.0.0.1:${port}/callback`] })
})
afterAll(() => stack.disposeAsync())

async function allow(page: Page, name: string): Promise<URL> {
  await page.getByRole('textbox').fill(name)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('welcome back').waitFor()
  return new URL(page.url())
}

test.each<ProviderName>(['messaging', 'search'])(
  'BR-17 Chromium, five tabs opened at once and finished in reverse order: each logs in through %s',
  async (provider) => {
    const context = await openContext(browser)
    const tabs = await Promise.all(
      ['1', '2', '3', '4', '5'].map(async (state) => {
        const page = await context.newPage()
        await page.goto(authorizeAddress(site, provider, { state }))
        return { state, page }
      }),
    )
    for (const { state, page } of tabs.reverse()) {
      const callback = await allow(page, `Tab ${state}`)
      expect(callback.searchParams.get('state')).toBe(state)
      expect(callback.searchParams.has('code')).toBe(true)
    }
    expect(await context.cookies()).toEqual([])
    await context.close()
  },
)

test('Chromium, back to the callback of a login that is over: a page that says so, with its stylesheet, and the policy has no complaint', async () => {
  const context = await openContext(browser)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  let callback = ''
  page.on('request', (request) => {
    if (request.url().includes('/oauth2/callback/')) callback = request.url()
  })
  await page.goto(authorizeAddress(site, 'search'))
  await allow(page, 'Goes Back')
  complaints.length = 0
  const response = await page.goto(callback)
  expect(response?.status()).toBe(400)
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('This login has ended')
  expect(await page.evaluate(`getComputedStyle(document.querySelector('main')).maxWidth`)).toBe('512px')
  expect(complaints.filter((complaint) => /policy|refused/i.test(complaint))).toEqual([])
  await context.close()
})
