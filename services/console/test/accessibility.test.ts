import { createRequire } from 'node:module'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openContext, openForTest, type SeededSite, type ServiceStack, seedSite, startStack } from '#testing'
import { logInWith } from '../../provider-auth/test/browser.ts'
import { createOperatorSession, openPagesBrowser } from './pages-browser.ts'

/** A violation that axe-core reports. */
const Findings = z.array(z.object({ id: z.string(), impact: z.string().nullable(), nodes: z.array(z.string()) }))
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

let stack: AsyncDisposableStack
let browser: Browser
let consoleUrl: string
let session: string
let account: string
let site: SeededSite
let user: string
beforeAll(async () => {
  stack = new AsyncDisposableStack()
  browser = stack.use(await openPagesBrowser())
  const serviceStack = stack.use(await startStack())
  const { url, database_url } = serviceStack.console
  consoleUrl = url
  const { knex } = stack.use(openForTest(database_url))
  session = await createOperatorSession(knex)

  site = await seedSite(serviceStack)
  account = `/accounts/${site.account}`
  await logInWith(site, 'search', { user: 'Ada King' })
  const { identifiers } = await serviceStack.identity.listUsers({ site: site.site, limit: 1 }, serviceStack.call())
  user = identifiers[0] ?? ''
  await prepareTerms(serviceStack)
})
afterAll(() => stack.disposeAsync())

/** Gives the site a document, and the user an answer to it. */
async function prepareTerms({ provider_auth, identity, call }: ServiceStack): Promise<void> {
  const texts = { ja: { title: '利用規約', url: 'https://shop.example.com/terms' } }
  const terms = { name: 'terms', kind: 'required' as const, version: 1, minimum_version: 1, texts }
  await provider_auth.changeTerms({ site: site.site, documents: [terms], expected_revision: 0 }, call())
  const answers = [{ document: 'terms', version: 1, accepted: true }]
  await identity.recordConsents({ site: site.site, identifier: user, answers }, call())
}

/** A page without the Content Security Policy, which would block axe-core. */
async function openPage(how: { dark: boolean; japanese: boolean; signed_in?: boolean }): Promise<Page> {
  const context = await openContext(browser, {
    dark: how.dark,
    locale: how.japanese ? 'ja-JP' : 'en-US',
    bypassCSP: true,
  })
  if (how.signed_in !== false) await context.addCookies([{ name: 'console', value: session, url: consoleUrl }])
  return context.newPage()
}

const missingPage = '/nowhere'

/** Navigates to a page of the console without reloading the scripts: through the missing page, as two others can have the same heading. */
async function follow(page: Page, path: string): Promise<void> {
  for (const next of [missingPage, path]) {
    if (new URL(page.url()).pathname === next) continue
    const heading = await page.evaluate<string | undefined>(`document.querySelector('h1')?.textContent`)
    await page.evaluate(`history.pushState(null, '', ${JSON.stringify(next)})`)
    await page.waitForFunction(`document.querySelector('h1')?.textContent !== ${JSON.stringify(heading)}`)
  }
}

/**
 * Serious and critical violations of the page, by the rules of axe-core. `region`, the
 * slowest of the others, does not run.
 */
async function obstacles(page: Page): Promise<z.output<typeof Findings>> {
  await page.waitForFunction(
    `document.querySelector('h1, [role=dialog]') && !document.querySelector('[aria-busy=true]')`,
  )
  if (await page.evaluate('!window.axe')) await page.addScriptTag({ path: axe })
  const findings = await page.evaluate(`axe
    .run(document, { resultTypes: ['violations'], rules: { region: { enabled: false } } })
    .then(({ violations }) => violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(({ html, failureSummary }) => html + ': ' + failureSummary) })))`)
  return Findings.parse(findings).filter(({ impact }) => impact === 'serious' || impact === 'critical')
}

/** The innermost elements that make the page wider than the window. */
const listTooWide = `document.documentElement.scrollWidth === innerWidth ? [] : [...document.querySelectorAll('body *')]
  .filter((element) => element.getBoundingClientRect().right > innerWidth && element.childElementCount === 0)
  .map(({ outerHTML }) => outerHTML.slice(0, 200))`

const at = () => `${account}/sites/${site.site_id}`
const pages: [name: string, place: () => string][] = [
  ['accounts', () => '/accounts'],
  ['sites', () => account],
  ['members', () => `${account}/members`],
  ['tokens', () => `${account}/tokens`],
  ['notices', () => `${account}/notices`],
  ['sign-in of members', () => `${account}/sign-in`],
  ['audit', () => `${account}/audit`],
  ['audit streams', () => `${account}/audit-streams`],
  ['operators', () => '/operators'],
  ['the whole audit', () => '/audit'],
  ['health', () => '/health'],
  ['me', () => '/me'],
  ['overview', at],
  ['clients', () => `${at()}/clients`],
  ['a client', () => `${at()}/clients/${site.client.client_id}`],
  ['providers', () => `${at()}/providers`],
  ['a provider with an official account', () => `${at()}/providers/messaging`],
  ['a provider with permissions', () => `${at()}/providers/social`],
  ['a provider with a key', () => `${at()}/providers/device`],
  ['a provider with protocols', () => `${at()}/providers/microblog`],
  ['keys', () => `${at()}/keys`],
  ['addresses', () => `${at()}/addresses`],
  ['webhooks', () => `${at()}/webhooks`],
  ['hosts', () => `${at()}/hosts`],
  ['the look', () => `${at()}/look`],
  ['the account page', () => `${at()}/account-page`],
  ['terms and consent', () => `${at()}/terms`],
  ['users', () => `${at()}/users`],
  ['bulk changes', () => `${at()}/bulk-changes`],
  ['imports', () => `${at()}/imports`],
  ['exports', () => `${at()}/exports`],
  ['a user', () => `${at()}/users/${user}`],
  ['everything held about a user', () => `${at()}/users/${user}/held-data`],
  ['deleted users', () => `${at()}/erasures`],
  ['logins', () => `${at()}/logins`],
  ['usage', () => `${at()}/usage`],
  ['settings', () => `${at()}/settings`],
  ['a page that is not there', () => missingPage],
]

describe.each([
  { dark: false, japanese: false },
  { dark: true, japanese: true },
])('dark: $dark, Japanese: $japanese', (how) => {
  let page: Page
  beforeAll(async () => {
    page = await openPage(how)
    await page.goto(`${consoleUrl}${missingPage}`)
    await page.locator('h1').waitFor()
  })
  afterAll(() => page.context().close())

  test.each(pages)('%s has no serious violation, and fits the width of a phone', async (_, path) => {
    await follow(page, path())
    expect(await obstacles(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    await expect.poll(() => page.evaluate(listTooWide)).toEqual([])
    await page.setViewportSize({ width: 1_280, height: 720 })
  })

  test.each(['/', '/sign-in?error=not_allowed', '/sign-in#gone'])(
    '%s, signed out, has no serious violation either',
    async (place) => {
      const outside = await openPage({ ...how, signed_in: false })
      await outside.goto(`${consoleUrl}${place}`)
      expect(await obstacles(outside)).toEqual([])
      await outside.context().close()
    },
  )

  test.each<[string, () => string, (page: Page) => Locator]>([
    ['a button', () => '/accounts', (page) => page.locator('main button').first()],
    ['a button with a warning', () => `${at()}/keys`, (page) => page.getByRole('table').getByRole('button').last()],
  ])('%s under the pointer has no serious violation', async (_, place, find) => {
    await page.goto(`${consoleUrl}${place()}`)
    await find(page).hover()
    expect(await obstacles(page)).toEqual([])
  })

  test('a form with field errors has no serious violation', async () => {
    await page.goto(`${consoleUrl}/accounts`)
    await page.locator('main button').first().click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('button[type=submit]').click()
    await dialog.locator('[aria-invalid=true]').first().waitFor()
    expect(await obstacles(page)).toEqual([])
  })

  test('a warning has no serious violation either', async () => {
    await page.goto(`${consoleUrl}${at()}/keys`)
    await page.getByRole('table').getByRole('button').last().click()
    await page.getByRole('dialog').waitFor()
    expect(await obstacles(page)).toEqual([])
  })
})
