import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openContext } from '#testing'
import { type Managed, newAccount, openManaged } from './managed.ts'
import { createOperatorSession, openPagesBrowser } from './pages-browser.ts'

const account = newAccount()

let stack: AsyncDisposableStack
let managed: Managed
let browser: Browser
let session: string
beforeAll(async () => {
  stack = new AsyncDisposableStack()
  browser = stack.use(await openPagesBrowser())
  managed = stack.use(await openManaged())
  const { operator, knex } = managed
  await operator('POST', '/accounts', { account, name: 'Acme Foods' })
  await operator('POST', `/accounts/${account}/sites`, { site_id: 'shop', name: 'Online shop', kind: 'production' })
  await operator('POST', `/accounts/${account}/sites`, {
    site_id: 'shop-test',
    name: 'Shop for tests',
    kind: 'development',
  })
  await operator('POST', `/accounts/${account}/sites/shop/keys`, { name: 'backend' })
  session = await createOperatorSession(knex)
})
afterAll(() => stack.disposeAsync())

const phone = { width: 375, height: 740 }
const desktop = { width: 1280, height: 800 }

async function open(path: string, options: BrowserContextOptions): Promise<Page> {
  const { url } = managed.serviceStack.console
  const context = await openContext(browser, options)
  await context.addCookies([{ name: 'console', value: session, url }])
  const page = await context.newPage()
  await page.goto(`${url}${path}`)
  return page
}

describe.each([
  ['a desktop', desktop],
  ['a phone', phone],
])('on %s', (_, viewport) => {
  test('every page of a site shows account, site and environment, and links to the other sites', async () => {
    const page = await open(`/accounts/${account}/sites/shop/clients`, { viewport })
    const header = page.getByRole('banner')
    const switcher = header.getByRole('button', { name: /Online shop/ })
    await switcher.waitFor()
    const badge = (kind: string) => page.getByText(kind, { exact: true }).and(page.locator(':visible'))
    await badge('Production').waitFor()
    await expect.poll(() => page.title()).toBe('Clients – Online shop – Acme Foods – Social login console')
    const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' })
    expect(await crumbs.getByRole('link').allInnerTexts()).toEqual(['Accounts', 'Acme Foods', 'Online shop'])
    expect(await crumbs.getByText('Clients').getAttribute('aria-current')).toBe('page')
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)

    await switcher.click()
    const menu = page.getByRole('menu')
    expect(await menu.getByRole('menuitem', { name: /Online shop/ }).getAttribute('aria-current')).toBe('true')
    // The same page of the other site.
    await menu.getByRole('menuitem', { name: /Shop for tests/ }).click()
    await header.getByRole('button', { name: /Shop for tests/ }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/accounts/${account}/sites/shop-test/clients`)
    await badge('Development').waitFor()
    await page.context().close()
  })

  test('the actions of a table row are visible', async () => {
    const page = await open(`/accounts/${account}/sites/shop/keys`, { viewport })
    const revoke = page
      .getByRole('table')
      .getByRole('button', { name: /Revoke/ })
      .first()
    await revoke.waitFor()
    const box = await revoke.boundingBox()
    expect(box).not.toBeNull()
    const { x = -1, width = 0 } = box ?? {}
    expect(x).toBeGreaterThanOrEqual(0)
    expect(x + width).toBeLessThanOrEqual(viewport.width)
    // Screen readers still find a table.
    expect(await page.getByRole('columnheader').count()).toBeGreaterThan(2)
    expect(await page.getByRole('row').count()).toBe(2)
    await page.context().close()
  })
})

test('a skeleton is shown while the code of a page loads, and the navigation works', async () => {
  const page = await open(`/accounts/${account}`, { viewport: desktop })
  await page.getByRole('heading', { level: 1 }).waitFor()
  const released = Promise.withResolvers<void>()
  await page.route(/\/assets\/members-.*\.js$/, async (route) => {
    await released.promise
    await route.continue()
  })
  await page.getByRole('link', { name: 'Members' }).click()
  await page.getByRole('status', { name: 'Loading' }).waitFor()
  expect(
    await page
      .getByRole('banner')
      .getByRole('button', { name: /Acme Foods/ })
      .isVisible(),
  ).toBe(true)
  released.resolve()
  await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor()
  expect(await page.getByRole('status', { name: 'Loading' }).count()).toBe(0)
})
