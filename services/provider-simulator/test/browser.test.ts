import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requireProgram } from '#local'
import { register, startSimulator, withQuery } from './simulator.ts'

let simulator: Awaited<ReturnType<typeof startSimulator>>
let browser: Browser
let stack: AsyncDisposableStack
let callback: string
let landingPage: string

beforeAll(async () => {
  stack = new AsyncDisposableStack()
  simulator = stack.use(await startSimulator())
  // The application's callback redirects the browser to another origin, as ours does.
  const last = stack.use(await serve((_, response) => response.end('<title>arrived</title>')))
  const first = stack.use(
    await serve((request, response) => {
      response
        .writeHead(302, { location: `${last.origin}/welcome${new URL(request.url ?? '', last.origin).search}` })
        .end()
    }),
  )
  callback = `${first.origin}/callback`
  landingPage = `${last.origin}/welcome`
  const clientSecret = 'secret-of-the-app'
  await Promise.all(
    ['messaging', 'portal', 'social', 'search'].map((provider) =>
      register(simulator.url, { provider, client_id: 'app', client_secret: clientSecret, redirect_uris: [callback] }),
    ),
  )
  const { path } = await requireProgram('chromium')
  browser = await chromium.launch({
    executablePath: path,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  stack.defer(() => browser.close())
})
afterAll(() => stack.disposeAsync())

async function serve(listener: RequestListener): Promise<{ origin: string } & AsyncDisposable> {
  const server = createServer(listener).listen(0)
  await once(server, 'listening')
  const bound = server.address()
  return {
    origin: `http://localhost:${typeof bound === 'object' ? bound?.port : 0}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const paths = {
  messaging: '/messaging/oauth2/v2.1/authorize',
  portal: '/portal/yconnect/v2/authorization',
  search: '/search/o/oauth2/v2/auth',
  social: '/social/v26.0/dialog/oauth',
} as const

async function withSignInPage(provider: keyof typeof paths, use: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ javaScriptEnabled: false })
  try {
    const page = await context.newPage()
    const request = { response_type: 'code', client_id: 'app', redirect_uri: callback, state: 's1' }
    const scope = provider === 'social' ? 'public_profile' : 'openid profile'
    await page.goto(withQuery(`${simulator.url}${paths[provider]}`, { ...request, scope }))
    await use(page)
  } finally {
    await context.close()
  }
}

test.each(['messaging', 'portal', 'social', 'search'] as const)(
  '%s: Chromium enters a name, allows, and is redirected to the callback',
  (provider) =>
    withSignInPage(provider, async (page) => {
      await page.getByLabel('Your name').fill('Hanako')
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.waitForURL(`${landingPage}?**`)
      const { searchParams } = new URL(page.url())
      expect(searchParams.get('state')).toBe('s1')
      expect(searchParams.has('code')).toBe(true)
    }),
)

test.each([
  ['messaging', 'ACCESS_DENIED'],
  ['search', 'access_denied'],
] as const)('%s: Chromium denies and is redirected with %s', (provider, error) =>
  withSignInPage(provider, async (page) => {
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.waitForURL(`${landingPage}?**`)
    const { searchParams } = new URL(page.url())
    expect(searchParams.get('state')).toBe('s1')
    expect(searchParams.get('error')).toBe(error)
  }),
)

test('the page works with the keyboard only: the name is focused, and Enter allows', () =>
  withSignInPage('search', async (page) => {
    // The page focuses it shortly after it was loaded.
    await page.locator('#user:focus').waitFor()
    await page.keyboard.type('Hanako')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${landingPage}?**`)
    expect(new URL(page.url()).searchParams.has('code')).toBe(true)
  }))

test('without a name, the page shows an error and can be submitted again', () =>
  withSignInPage('search', async (page) => {
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('alert').getByText('Enter a name').waitFor()
    await page.getByLabel('Your name').fill('Hanako')
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(`${landingPage}?**`)
  }))

test('Chromium without scripts starts a scenario, sees it on the sign-in page, and ends it', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  try {
    const page = await context.newPage()
    await page.goto(simulator.url)
    await page.getByRole('link', { name: 'Start a scenario' }).click()
    await page.getByLabel('User name').fill('Hanako')
    await page.getByRole('radio', { name: 'Gets short-lived access tokens' }).check()
    await page.getByLabel('Seconds of “Gets short-lived access tokens”').fill('5')
    await page.getByRole('button', { name: 'Start scenario' }).click()
    const chosen = 'Hanako at every provider: Gets short-lived access tokens (5 seconds)'
    await page.getByRole('listitem').filter({ hasText: chosen }).waitFor()
    await withSignInPage('search', (signIn) => signIn.getByRole('listitem').filter({ hasText: chosen }).waitFor())
    await page.getByRole('button', { name: 'End “Gets short-lived access tokens' }).click()
    await page.getByText('No active scenarios').waitFor()
  } finally {
    await context.close()
  }
})
