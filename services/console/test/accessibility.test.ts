import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openBrowser, openForTest, seedSite, startConstellation } from '#testing'
import { authorizeAddress, logIn, openTestBrowser } from '../../provider-auth/test/browser.ts'
import { insertMember } from '../members/members.ts'
import { insertSession } from '../members/sessions.ts'
import { buildPages, isStale } from '../web/build.ts'

/** What axe-core tells of what breaks a rule of it. */
const Findings = z.array(z.object({ id: z.string(), impact: z.string().nullable(), nodes: z.array(z.string()) }))
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

let stack: AsyncDisposableStack
let browser: Browser
let console_url: string
let session: string
let places: Record<string, string>
beforeAll(async () => {
  stack = new AsyncDisposableStack()
  if (isStale()) await buildPages()
  browser = await openBrowser()
  stack.defer(() => browser.close())
  const constellation = stack.use(await startConstellation({ console: {} }))
  const { url, database_url } = constellation.console
  console_url = url
  const { knex } = stack.use(openForTest(database_url))
  const now = new Date()
  const member_id = await knex.transaction((trx) => insertMember(trx, { name: 'Otto', operator: true, now }))
  session = await insertSession(knex, { member_id, browser: 'test', now })

  const site = await seedSite(constellation)
  const state = 'a-login'
  await logIn(openTestBrowser(), authorizeAddress(site, 'search', { state }), { user: 'Ada King' })
  const listed = await constellation.identity.listUsers({ site: site.site, limit: 1 }, constellation.call())
  const [identifier = ''] = listed.identifiers
  const account = `/accounts/${site.account}`
  const at = `${account}/sites/${site.site_id}`
  places = {
    accounts: '/accounts',
    sites: account,
    members: `${account}/members`,
    tokens: `${account}/tokens`,
    audit: `${account}/audit`,
    'whole audit': '/audit',
    operators: '/operators',
    health: '/health',
    me: '/me',
    overview: at,
    clients: `${at}/clients`,
    client: `${at}/clients/${site.client.client_id}`,
    providers: `${at}/providers`,
    'provider with an official account': `${at}/providers/messaging`,
    'provider with permissions': `${at}/providers/social`,
    'provider with a key': `${at}/providers/device`,
    'provider with protocols': `${at}/providers/microblog`,
    keys: `${at}/keys`,
    addresses: `${at}/addresses`,
    users: `${at}/users`,
    user: `${at}/users/${identifier}`,
    exports: `${at}/exports`,
    insight: `${at}/insight`,
    settings: `${at}/settings`,
    nowhere: '/nowhere',
  }
}, 120_000)
afterAll(() => stack.disposeAsync())

/** A page of somebody's browser, without the policy that would keep axe-core out. */
async function openPage(how: { dark: boolean; japanese: boolean; signed_in?: boolean }): Promise<Page> {
  const context = await browser.newContext({
    colorScheme: how.dark ? 'dark' : 'light',
    locale: how.japanese ? 'ja-JP' : 'en-US',
    reducedMotion: 'reduce',
    bypassCSP: true,
  })
  if (how.signed_in !== false) await context.addCookies([{ name: 'console', value: session, url: console_url }])
  return context.newPage()
}

/** What keeps somebody from using the page as it is now, as axe-core judges. */
async function obstacles(page: Page): Promise<z.output<typeof Findings>> {
  await page.waitForFunction(`document.querySelector('h1, [role=dialog]') && !document.querySelector('[aria-busy=true]')`)
  await page.addScriptTag({ path: axe })
  const findings = await page.evaluate(`axe
    .run(document, { resultTypes: ['violations'] })
    .then(({ violations }) => violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(({ html }) => html) })))`)
  return Findings.parse(findings).filter(({ impact }) => impact === 'serious' || impact === 'critical')
}

describe.each([
  { dark: false, japanese: false },
  { dark: true, japanese: true },
])('dark: $dark, Japanese: $japanese', (how) => {
  test('no page keeps anybody from using it', async () => {
    const page = await openPage(how)
    for (const [name, place] of Object.entries(places)) {
      await page.goto(`${console_url}${place}`)
      expect.soft(await obstacles(page), name).toEqual([])
    }
    await page.context().close()
  }, 120_000)

  test('nor does signing in, or a link that is over', async () => {
    const page = await openPage({ ...how, signed_in: false })
    for (const place of ['/', '/sign-in?refused=not_allowed', '/sign-in#gone']) {
      await page.goto(`${console_url}${place}`)
      expect.soft(await obstacles(page), place).toEqual([])
    }
    await page.context().close()
  })

  test('nor does a dialog whose fields are refused, or one that warns', async () => {
    const page = await openPage(how)
    await page.goto(`${console_url}/accounts`)
    await page.locator('main button').first().click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('button[type=submit]').click()
    await dialog.locator('[aria-invalid=true]').first().waitFor()
    expect.soft(await obstacles(page), 'refused').toEqual([])
    await page.goto(`${console_url}${places.keys}`)
    await page.getByRole('table').getByRole('button').last().click()
    await dialog.waitFor()
    expect.soft(await obstacles(page), 'warns').toEqual([])
    await page.context().close()
  })
})
