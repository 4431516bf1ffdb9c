import { once } from 'node:events'
import { createServer } from 'node:http'
import * as oidc from 'openid-client'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Look } from '#contracts'
import { type DnsServer, openBrowser, openContext, type SeededSite, type ServiceStack, seedSite } from '#testing'
import { applicationOf } from './application.ts'
import { buildAuthorizeUrl } from './browser.ts'
import { issuerAt, moveTo, proveHost, registerCallback, startHostStack } from './host-fixture.ts'

interface BrandedSite {
  readonly issuer: string
  /** With addresses on its host. */
  readonly site: SeededSite
  readonly accent: string
}

const stack = new AsyncDisposableStack()
let serviceStack: ServiceStack
let dns: DnsServer
let browser: Browser
let redirectUri: string
let shop: BrandedSite
let bank: BrandedSite

beforeAll(async () => {
  browser = await openBrowser()
  stack.defer(() => browser.close())
  ;({ serviceStack, dns } = await startHostStack(stack, {
    simulatorHost: '127.0.0.1',
    providerAuthEnvironment: { SITE_HOST_PATTERN: '{site_id}.{account}.localhost' },
  }))
  const application = createServer((_, response) => response.end('welcome back')).listen(0)
  await once(application, 'listening')
  stack.defer(() => {
    application.closeAllConnections()
    application.close()
  })
  const address = application.address()
  redirectUri = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/callback`
  shop = await brandSite('login.shop.localhost', '#b00020', {
    en: { 'choice.heading': 'Welcome to the shop, {application}' },
  })
  bank = await brandSite('login.bank.localhost', '#0b6b0b', {
    ja: { 'choice.heading': '銀行へようこそ {application}' },
  })
})
afterAll(() => stack.disposeAsync())

/** A site with a host and a look of its own. */
async function brandSite(host: string, accent: string, words: Look['words']): Promise<BrandedSite> {
  const { provider_auth, call } = serviceStack
  const seeded = await seedSite(serviceStack, { redirect_uris: [redirectUri] })
  const issuer = issuerAt(serviceStack, host)
  await registerCallback(serviceStack, seeded, issuer)
  await proveHost(serviceStack, dns, seeded, host)
  const light = { page: '#f4f5f7', card: '#ffffff', text: '#1b1f24', accent }
  const look = Look.parse({ theme: { light }, words })
  await provider_auth.changeLook({ site: seeded.site, expected_revision: 0, look, publish_by: 'test' }, call())
  return { issuer, accent, site: moveTo(seeded, issuer) }
}

const choiceOf = ({ site, issuer }: BrandedSite) =>
  `${issuer}/oauth2/authorize${new URL(buildAuthorizeUrl(site, 'messaging')).search}`

async function logIn(page: Page, { site }: BrandedSite, name: string): Promise<URL> {
  await page.goto(buildAuthorizeUrl(site, 'messaging'))
  await page.getByRole('textbox').fill(name)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('welcome back').waitFor()
  return new URL(page.url())
}

const colorOf = (page: Page) => page.evaluate(`getComputedStyle(document.documentElement).getPropertyValue('--go')`)

test('each host has the look and the words of its site, in the language of the browser', async () => {
  for (const [locale, texts] of [
    ['en-US', [/Welcome to the shop/, /Log in to/]],
    ['ja-JP', [/にログイン/, /銀行へようこそ/]],
  ] as const) {
    const context = await openContext(browser, { locale })
    for (const [index, branded] of [shop, bank].entries()) {
      const page = await context.newPage()
      const problems: string[] = []
      page.on('console', (message) => problems.push(message.text()))
      await page.goto(choiceOf(branded))
      expect(await page.getByRole('heading').textContent()).toMatch(texts[index] ?? '')
      expect(await colorOf(page)).toBe(branded.accent)
      expect(problems).toEqual([])
    }
    await context.close()
  }
})

test('a session with one site is none with the other, and no cookie of one is sent to the other', async () => {
  const context = await openContext(browser)
  const page = await context.newPage()
  const returned = await logIn(page, shop, 'Hanako')
  expect(returned.searchParams.get('iss')).toBe(shop.issuer)
  const claims = await applicationOf({ ...serviceStack, auth: shop.issuer }, shop.site).redeem(returned)
  expect(claims.id_token).toMatch(/^ey/)

  const silent = async (branded: BrandedSite) => {
    await page.goto(buildAuthorizeUrl(branded.site, 'messaging', { prompt: 'none' }))
    await page.getByText('welcome back').waitFor()
    return new URL(page.url()).searchParams
  }
  expect((await silent(shop)).has('code')).toBe(true)
  expect((await silent(bank)).get('error')).toBe('login_required')
  expect((await context.cookies(shop.issuer)).map(({ domain }) => domain)).toContain('login.shop.localhost')
  expect((await context.cookies(bank.issuer)).filter(({ domain }) => domain !== 'login.bank.localhost')).toEqual([])

  await logIn(page, bank, 'Taro')
  expect((await silent(bank)).has('code')).toBe(true)
  await page.goto(`${shop.issuer}/oauth2/logout?client_id=${shop.site.client.client_id}`)
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('heading', { name: 'You are logged out' }).waitFor()
  expect((await silent(shop)).get('error')).toBe('login_required')
  expect((await silent(bank)).has('code')).toBe(true)
  await context.close()
})

test('a client that only knows the host logs in by discovery, with every check of the issuer', async () => {
  const { client } = shop.site
  const { client_id, client_secret, redirect_uri } = client
  const execute = [oidc.allowInsecureRequests]
  const configuration = await oidc.discovery(new URL(shop.issuer), client_id, client_secret, undefined, { execute })
  const verifier = oidc.randomPKCECodeVerifier()
  const address = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri,
    scope: 'openid profile',
    state: 'any',
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const context = await openContext(browser)
  const page = await context.newPage()
  await page.goto(address.href)
  await page.getByRole('link', { name: /LINE/ }).click()
  await page.getByRole('textbox').fill('Saburo')
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('welcome back').waitFor()
  const checks = { pkceCodeVerifier: verifier, expectedState: 'any', idTokenExpected: true }
  const tokens = await oidc.authorizationCodeGrant(configuration, new URL(page.url()), checks)
  const claims = tokens.claims()
  expect(claims?.iss).toBe(shop.issuer)
  expect(await oidc.fetchUserInfo(configuration, tokens.access_token, claims?.sub ?? '')).toMatchObject({
    name: 'Saburo',
  })
  await context.close()
})

test('a page that does not exist has the look of the host, and leads to its application', async () => {
  const context = await openContext(browser)
  const page = await context.newPage()
  await page.goto(`${bank.issuer}/nowhere`)
  expect(await page.getByRole('heading').textContent()).toBe('Page not found')
  expect(await page.locator('link[rel=stylesheet][href*=looks]').count()).toBe(1)
  await page.getByText('Details').click()
  await page.getByText('Request ID').waitFor()
  await page.getByRole('link', { name: /Go to/ }).click()
  await page.getByText('welcome back').waitFor()
  await context.close()
})

test('a site has the host of the pattern at once, without a claim', async () => {
  const seeded = await seedSite(serviceStack, { redirect_uris: [redirectUri] })
  const issuer = issuerAt(serviceStack, `${seeded.site_id}.${seeded.account}.localhost`)
  await registerCallback(serviceStack, seeded, issuer)
  const context = await openContext(browser)
  const page = await context.newPage()
  const site = moveTo(seeded, issuer)
  const returned = await logIn(page, { issuer, site, accent: '' }, 'Jiro')
  expect(returned.searchParams.get('iss')).toBe(issuer)
  const unknown = issuerAt(serviceStack, `nowhere.${seeded.account}.localhost`)
  const response = await page.goto(`${unknown}/oauth2/authorize`)
  expect(response?.status()).toBe(421)
  await page.getByRole('heading', { name: 'This address is not in use' }).waitFor()
  await context.close()
})
