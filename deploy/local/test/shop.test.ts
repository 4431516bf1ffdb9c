import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from '#testing'
import { createLocalSettings, launch, readJson } from './launch.ts'

interface Demo {
  readonly web_api: string
  readonly shop: string
  readonly sites: readonly [DemoSite, DemoSite]
}
interface DemoSite {
  readonly site_id: string
  readonly api_key: string
  readonly clients: readonly [{ readonly client_id: string }]
  readonly providers: Readonly<Record<ProviderName, { readonly authorize: string }>>
}
type ProviderName = 'messaging' | 'portal' | 'social' | 'search' | 'device' | 'microblog'

let root: string
let running: ReturnType<typeof launch>
let demo: Demo
let browser: Browser

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'social-login-shop-'))
  await chmod(root, 0o755)
  const directory = join(root, 'local')
  running = launch('start', await createLocalSettings(directory))
  ;[browser] = await Promise.all([openBrowser(), running.ready])
  demo = readJson(join(directory, 'environment.json'))
})
afterAll(async () => {
  await browser.close()
  running.send('SIGINT')
  await running.ended
  await rm(root, { recursive: true, force: true })
})

/** A new browser at the shop. */
async function openShop(): Promise<Page> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(demo.shop)
  return page
}

async function logIn(page: Page, provider: ProviderName, user: string, decision: 'allow' | 'deny') {
  await page.locator(`a.login-button[href="/login/${provider}"]`).click()
  await signIn(page, user, decision)
}

/** Signs in at the simulator. */
async function signIn(page: Page, user: string, decision: 'allow' | 'deny') {
  await page.locator('input[name=user]').fill(user)
  await page.locator(`button[name=decision][value=${decision}]`).click()
}

const textOf = (page: Page, id: string) => page.getByTestId(id).innerText()

async function callWebApi(site: DemoSite, operation: string, parameters: Record<string, string>) {
  const query = new URLSearchParams({ key: site.api_key, ...parameters })
  const response = await fetch(`${demo.web_api}/${operation}?${query}`)
  return { status: response.status, body: await response.json() }
}

describe('the demo shop, in a real browser', () => {
  test('logging out of the shop ends the session of the login service, too', async () => {
    const page = await openShop()
    await logIn(page, 'search', 'Leaving', 'allow')
    const sessions = async () =>
      (await page.context().cookies()).filter(({ name, value }) => name.startsWith('session-') && value !== '')
    expect(await sessions()).toHaveLength(1)
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.waitForURL(`${demo.shop}/`)
    expect(await page.getByTestId('name').count()).toBe(0)
    await expect.poll(() => page.locator('a.login-button').count()).toBeGreaterThan(0)
    expect(await sessions()).toEqual([])
  })

  test('an end user logs in through messaging and is the same user at the next login, also from another browser', async () => {
    const page = await openShop()
    await logIn(page, 'messaging', 'Ada', 'allow')
    expect(await textOf(page, 'name')).toContain('Ada')
    const identifier = await textOf(page, 'identifier')
    expect(identifier).toMatch(/^[0-9a-f]{40}$/)
    expect(await textOf(page, 'login-count')).toBe('1')

    const elsewhere = await openShop()
    await logIn(elsewhere, 'messaging', 'Ada', 'allow')
    expect(await textOf(elsewhere, 'identifier')).toBe(identifier)
    expect(await textOf(elsewhere, 'login-count')).toBe('2')

    const [shop, other] = demo.sites
    const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    expect(await callWebApi(shop, 'user_attribute', { identifier })).toEqual({
      status: 200,
      body: {
        status: 'ok',
        user: {
          identifier,
          primary_key: null,
          mapped_at: null,
          last_logged_in_at: timestamp,
          last_logged_in_provider: 'messaging',
          login_count: 2,
          created_at: timestamp,
          profile_prohibited: false,
        },
        providers: {
          messaging: {
            messaging_id: expect.stringMatching(/^U[0-9a-f]{32}$/),
            access_token: expect.any(String),
            refresh_token: expect.any(String),
            expires_at: timestamp,
            friendship_status: expect.any(Boolean),
            friendship_status_updated_at: timestamp,
            friendship_updated_at: null,
            created_at: timestamp,
            updated_at: timestamp,
          },
        },
      },
    })
    expect(await callWebApi(other, 'user_attribute', { identifier })).toMatchObject({
      status: 404,
      body: { status: 'failed', error: { code: 7, message: 'Entity not found.' } },
    })
  })

  test.each(['portal', 'social', 'search', 'device', 'microblog'] as const)(
    'an end user logs in through %s',
    async (provider) => {
      const page = await openShop()
      await logIn(page, provider, 'Grace', 'allow')
      expect(await textOf(page, 'name')).toContain('Grace')
      expect(await textOf(page, 'login-count')).toBe('1')
    },
  )

  test.each(['messaging', 'device', 'microblog'] as const)(
    'an end user logs in through %s on the host of the site',
    async (provider) => {
      const { clients, providers } = demo.sites[1]
      const redirectUri = `${demo.shop}/callback`
      const address = new URL(providers[provider].authorize)
      address.hostname = 'other.demo.localhost'
      const parameters = { client_id: clients[0].client_id, redirect_uri: redirectUri, response_type: 'code' }
      address.search = new URLSearchParams({ ...parameters, scope: 'openid', state: 's', nonce: 'n' }).toString()

      const page = await openShop()
      const callback = page.waitForRequest((request) => request.url().startsWith(redirectUri))
      await page.goto(address.href)
      await signIn(page, 'Hedy', 'allow')
      const { searchParams } = new URL((await callback).url())
      expect(Object.fromEntries(searchParams)).toEqual({ state: 's', iss: address.origin, code: expect.any(String) })
    },
  )

  test("an end user who denies consent returns to the shop with the provider's error and the original state", async () => {
    const page = await openShop()
    await logIn(page, 'messaging', 'Edith', 'deny')
    expect(await textOf(page, 'error')).toContain('ACCESS_DENIED')
    expect(await page.getByTestId('state-ok').isVisible()).toBe(true)
  })
})
