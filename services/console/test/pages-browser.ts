import type { Knex } from 'knex'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { openBrowser, openContext } from '#testing'
import { insertMember } from '../store/members.ts'
import { insertMemberSession } from '../store/sessions.ts'
import { buildPages, isStale } from '../web/build.ts'
import type { UsageFixture } from './usage-fixture.ts'

/** A browser for the console's pages, which are built if they are not up to date. */
export async function openPagesBrowser(): Promise<Browser> {
  if (isStale()) await buildPages()
  return openBrowser()
}

/** The session of a new operator: the value of the cookie `console`. */
export async function createOperatorSession(knex: Knex): Promise<string> {
  const now = new Date()
  const memberId = await knex.transaction((trx) => insertMember(trx, { name: 'Otto', operator: true, now }))
  return insertMemberSession(knex, { member_id: memberId, browser: 'test', now })
}

/** A page of the console at `path`, signed in as a new operator. */
export async function openAsOperator(
  browser: Browser,
  { url, knex, path, locale = 'en-US' }: { url: string; knex: Knex; path: string; locale?: string },
): Promise<Page> {
  const context = await openContext(browser, { locale })
  await context.addCookies([{ name: 'console', value: await createOperatorSession(knex), url }])
  const page = await context.newPage()
  await page.goto(`${url}${path}`)
  return page
}

type OpenSitePage = (path: string, options?: { readonly locale?: string }) => Promise<Page>

/** Opens a browser for a test file. The returned function opens a page below the stage's site, signed in as a new operator. */
export function createSitePageOpener(stage: UsageFixture): OpenSitePage {
  let browser: Browser
  beforeAll(async () => {
    browser = await openPagesBrowser()
  })
  afterAll(() => browser.close())
  return (path, options) => {
    const { knex, site, serviceStack } = stage
    const sitePath = `/accounts/${site.account}/sites/${site.site_id}`
    return openAsOperator(browser, { url: serviceStack.console.url, knex, path: `${sitePath}${path}`, ...options })
  }
}
