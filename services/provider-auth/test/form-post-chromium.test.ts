import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, openContext, type SeededSite, type SharedStack, seedSite, sharedStack } from '#testing'
import { buildAuthorizeUrl } from './browser.ts'

const stack = new AsyncDisposableStack()
let serviceStack: SharedStack
let site: SeededSite
let browser: Browser
let origin: string
let elsewhere: string
/** The last form that the application received. */
let received: { readonly path: string; readonly fields: Record<string, string>; readonly origin: string | undefined }

beforeAll(async () => {
  browser = await openBrowser()
  stack.defer(() => browser.close())
  serviceStack = await sharedStack()
  /** The application's pages; `/within` and `/beyond` redirect after the form, as many applications do. */
  const application = createServer(async (request, response) => {
    const path = request.url ?? '/'
    if (request.method === 'POST')
      received = {
        path,
        fields: Object.fromEntries(new URLSearchParams(await text(request))),
        origin: request.headers.origin,
      }
    const location = { '/within': '/welcome', '/beyond': `${elsewhere}/welcome` }[path]
    if (location === undefined) response.setHeader('content-type', 'text/html').end('<p>welcome back')
    else response.writeHead(303, { location }).end()
  }).listen(0)
  await once(application, 'listening')
  stack.defer(() => {
    application.closeAllConnections()
    application.close()
  })
  const { port } = application.address() as AddressInfo // as it listens on a port
  origin = `http://127.0.0.1:${port}`
  elsewhere = `http://localhost:${port}`
  site = await seedSite(serviceStack, {
    redirect_uris: [`${origin}/callback?kept=1`, `${origin}/within`, `${origin}/beyond`],
  })
})
afterAll(() => stack.disposeAsync())

/** Opens the authorization endpoint and signs in at the provider. Returns what the browser complained about. */
async function logInWithFormPost(page: Page, changes: Readonly<Record<string, string>>): Promise<string[]> {
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  await page.goto(buildAuthorizeUrl(site, 'search', { response_mode: 'form_post', ...changes }))
  await page.getByRole('textbox').fill('Posts A Form')
  await page.getByRole('button', { name: 'Allow' }).click()
  return complaints
}

test.each([
  ['code', 'with scripts, the form posts itself', true],
  ['id_token', 'with scripts, the form posts itself', true],
  ['code', 'without scripts, the end user posts it by a button', false],
])(
  'Chromium, form_post of %s, %s: the application receives it, and the policy blocks nothing',
  async (responseType, _, scripts) => {
    const context = await openContext(browser, { scripts })
    const page = await context.newPage()
    const complaints = await logInWithFormPost(page, { response_type: responseType, nonce: 'n-1' })
    if (!scripts) {
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Returning to the application')
      await page.getByRole('button', { name: 'Continue' }).click()
    }
    await page.getByText('welcome back').waitFor()
    expect(page.url()).toBe(`${origin}/callback?kept=1`)
    expect(received).toMatchObject({ path: '/callback?kept=1', origin: 'null' })
    expect(Object.keys(received.fields)).toEqual([responseType, 'state', 'iss'])
    expect(complaints.filter((complaint) => /policy|refused/i.test(complaint))).toEqual([])
    await context.close()
  },
)

test('Chromium, form_post: the application may redirect within its origin, but not to another one', async () => {
  const context = await openContext(browser)
  const page = await context.newPage()
  await logInWithFormPost(page, { redirect_uri: `${origin}/within` })
  await page.waitForURL(`${origin}/welcome`)
  const other = await context.newPage()
  const blocked = other.waitForEvent('console', (message) => message.text().includes('form-action'))
  await logInWithFormPost(other, { redirect_uri: `${origin}/beyond` })
  await blocked
  expect([received.path, other.url().startsWith(elsewhere)]).toEqual(['/beyond', false])
  await context.close()
})
