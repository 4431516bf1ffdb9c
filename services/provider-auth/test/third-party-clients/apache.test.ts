import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, openContext, type SharedStack, seedSite, sharedStack } from '#testing'
import { logIn, openTestBrowser, type TestBrowser } from '../browser.ts'
import { apacheCallback, apacheMissing, apachePort, startApache } from './apache.ts'
import { startTokenProxy, type TokenProxy, withBrokenSignature } from './token-proxy.ts'

const stack = new AsyncDisposableStack()
let serviceStack: SharedStack
beforeAll(async () => {
  serviceStack = await sharedStack()
})
afterAll(() => stack.disposeAsync())

/** Starts a login at Apache and completes it up to Apache's callback, which is not opened yet. */
async function logInToCallback(browser: TestBrowser, port: number, user: string): Promise<URL> {
  const first = await browser.open(`http://localhost:${port}/`)
  expect(first.status).toBe(302)
  return logIn(browser, first.headers.get('location') ?? '', { user })
}

/** The user that Apache's front page shows. */
async function readWelcome(browser: TestBrowser, port: number) {
  const { status, headers } = await browser.open(`http://localhost:${port}/`)
  return { status, sub: headers.get('x-sub'), name: headers.get('x-name') }
}

const loggedInAs = (name: string) => ({ status: 200, sub: expect.stringMatching(/^[0-9a-f]{40}$/), name })

/** Redirected to the login: no user is logged in. */
const loggedOut = { status: 302, sub: null, name: null }

describe.skipIf(apacheMissing)(`Apache with mod_auth_openidc, code and PKCE${apacheMissing ?? ''}`, () => {
  let port: number
  let between: TokenProxy
  beforeAll(async () => {
    port = await apachePort()
    const { client, providers } = await seedSite(serviceStack, { redirect_uris: [apacheCallback(port)] })
    between = stack.use(await startTokenProxy(serviceStack, providers.messaging))
    const { metadata_url } = between
    stack.use(await startApache({ port, client, metadata_url, response_type: 'code' }))
  })

  test('logs an end user in', async () => {
    const browser = openTestBrowser()
    const callback = await logInToCallback(browser, port, 'Ada Lovelace')
    expect((await browser.open(callback.href)).status).toBe(302)
    expect(await readWelcome(browser, port)).toEqual(loggedInAs('Ada Lovelace'))
  })

  test.each([
    ['another signature', withBrokenSignature],
    ["another login's nonce", () => idTokenOfAnotherLogin],
  ])('rejects an ID Token with %s', async (_, change) => {
    const browser = openTestBrowser()
    const callback = await logInToCallback(browser, port, 'Mallory')
    between.alter((given) => ({ ...given, id_token: change(String(given.id_token)) }))
    await browser.open(callback.href)
    between.alter(undefined)
    expect(await readWelcome(browser, port)).toEqual(loggedOut)
  })

  test('rejects a response with another state or from another browser', async () => {
    const browser = openTestBrowser()
    const callback = await logInToCallback(browser, port, 'Mallory')
    const other = openTestBrowser()
    await other.open(callback.href)
    expect(await readWelcome(other, port)).toEqual(loggedOut)
    callback.searchParams.set('state', `${callback.searchParams.get('state')}x`)
    await browser.open(callback.href)
    expect(await readWelcome(browser, port)).toEqual(loggedOut)
  })

  let idTokenOfAnotherLogin = ''
  beforeAll(async () => {
    const browser = openTestBrowser()
    const callback = await logInToCallback(browser, port, 'Grace Hopper')
    between.alter((given) => {
      idTokenOfAnotherLogin = String(given.id_token)
      return given
    })
    await browser.open(callback.href)
    between.alter(undefined)
  })
})

describe.skipIf(apacheMissing)(`Apache with mod_auth_openidc, id_token${apacheMissing ?? ''}`, () => {
  let port: number
  beforeAll(async () => {
    port = await apachePort()
    const { client, providers } = await seedSite(serviceStack, { redirect_uris: [apacheCallback(port)] })
    const { metadata_url } = stack.use(await startTokenProxy(serviceStack, providers.search))
    stack.use(await startApache({ port, client, metadata_url, response_type: 'id_token' }))
  })

  /** Posts the fragment, like the script of the page at Apache's callback. */
  const post = (browser: TestBrowser, callback: URL, changes: Record<string, string> = {}) => {
    const parameters = Object.fromEntries(new URLSearchParams(callback.hash.slice(1)))
    const form = { ...parameters, response_mode: 'fragment', ...changes }
    return browser.open(callback.href.slice(0, -callback.hash.length), form)
  }

  test('logs an end user in', async () => {
    const browser = openTestBrowser()
    const callback = await logInToCallback(browser, port, 'Ada Lovelace')
    expect(callback.search).toBe('')
    expect((await post(browser, callback)).status).toBe(302)
    expect(await readWelcome(browser, port)).toEqual(loggedInAs('Ada Lovelace'))
  })

  test('rejects an ID Token with another signature, nonce, or state', async () => {
    const idTokenOf = ({ hash }: URL) => new URLSearchParams(hash.slice(1)).get('id_token') ?? ''
    const foreign = idTokenOf(await logInToCallback(openTestBrowser(), port, 'Grace Hopper'))
    const changes: ((callback: URL) => Record<string, string>)[] = [
      (callback) => ({ id_token: withBrokenSignature(idTokenOf(callback)) }),
      () => ({ id_token: foreign }),
      () => ({ state: 'another' }),
    ]
    for (const change of changes) {
      const browser = openTestBrowser()
      const callback = await logInToCallback(browser, port, 'Mallory')
      await post(browser, callback, change(callback))
      expect(await readWelcome(browser, port)).toEqual(loggedOut)
    }
  })
})

test.skipIf(apacheMissing).each([
  ['code', undefined],
  ['code', 'form_post'],
  ['id_token', undefined],
  ['id_token', 'form_post'],
] as const)(
  `Apache with mod_auth_openidc logs in an end user with discovery only, in Chromium, with %s, %s${apacheMissing ?? ''}`,
  async (responseType, responseMode) => {
    const port = await apachePort()
    const { client } = await seedSite(serviceStack, { redirect_uris: [apacheCallback(port)] })
    const metadataUrl = `${serviceStack.auth}/.well-known/openid-configuration`
    const modes = { response_type: responseType, response_mode: responseMode }
    await using _ = await startApache({ port, client, metadata_url: metadataUrl, ...modes })
    await using browser = await openBrowser()
    const page = await (await openContext(browser)).newPage()
    await page.goto(`http://localhost:${port}/`)
    await page.getByRole('link', { name: 'Sign in with Google' }).click()
    await page.getByRole('textbox').fill('Ada Lovelace')
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByText('welcome').waitFor()
    const welcome = await page.goto(`http://localhost:${port}/`)
    expect(welcome?.headers()['x-name']).toBe('Ada Lovelace')
  },
)
