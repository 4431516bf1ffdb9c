import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openContext, openForTest, type SharedStack, sharedStack } from '#testing'
import { insertInvitation } from '../store/invitations.ts'
import { openMemberBrowser } from './member-browser.ts'
import { createOperatorSession, openPagesBrowser } from './pages-browser.ts'

let stack: AsyncDisposableStack
let browser: Browser
let serviceStack: SharedStack
let url: string
beforeAll(async () => {
  stack = new AsyncDisposableStack()
  browser = stack.use(await openPagesBrowser())
  serviceStack = await sharedStack()
  url = serviceStack.console.url
})
afterAll(() => stack.disposeAsync())

const openDatabase = () => openForTest(serviceStack.console.database_url)
const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' })

/** Ends the sessions of a member; their browsers still have the cookies. */
async function endSessions(name: string): Promise<void> {
  await using database = openDatabase()
  const members = database.knex('members').where({ name }).select('member_id')
  expect(await database.knex('sessions').whereIn('member_id', members).delete()).toBeGreaterThan(0)
}

test('a member creates a passkey with a link, and signs in with it where the session ended', async () => {
  const name = `Lin ${Date.now()}`
  await using database = openDatabase()
  const { token } = await insertInvitation(database.knex, { name, now: new Date() })
  await using member = await openMemberBrowser(browser, `${url}/sign-in#${token}`)
  const { page } = member
  await page.getByRole('heading', { name: `Welcome, ${name}` }).waitFor()
  expect(page.url()).toBe(`${url}/sign-in`)
  await page.getByRole('textbox', { name: 'Passkey name' }).fill('Laptop')
  await page.getByRole('button', { name: 'Create passkey and sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor()

  // A page that is loaded with the cookie of an ended session.
  await endSessions(name)
  await page.goto(`${url}/me?from=here`)
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  expect(page.url()).toBe(`${url}/me?from=here`)
  expect(await page.title()).toBe('Sign in – Social login console')
  await signInButton(page).click()
  await page.getByRole('heading', { level: 1, name: 'My profile' }).waitFor()
  expect(page.url()).toBe(`${url}/me?from=here`)

  // An address that would lead to another host if the page repeated it.
  await endSessions(name)
  await page.goto(`${url}//other.example/`)
  await signInButton(page).click()
  await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor()
  expect(page.url()).toBe(`${url}/accounts`)

  // A session that ends while a page is used.
  await endSessions(name)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Operators', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
  await dialog.getByRole('textbox', { name: 'E-mail address' }).waitFor()
  await dialog.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('heading', { level: 1, name: 'Operators' }).waitFor()

  await page.getByRole('button', { name: /My profile/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await signInButton(page).waitFor()
})

test('a link from another site shows the page if the member is signed in, although the browser sends no cookie', async () => {
  await using database = openDatabase()
  const context = await openContext(browser, { locale: 'en-US' })
  await context.addCookies([
    { name: 'console', value: await createOperatorSession(database.knex), url, sameSite: 'Strict' },
  ])
  const other = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end(`<a href="${url}/health?from=mail">health</a>`),
  ).listen(0, '127.0.0.1')
  await once(other, 'listening')
  stack.defer(() => {
    other.closeAllConnections()
    other.close()
  })
  const address = other.address()
  const page = await context.newPage()
  const cookies: (string | undefined)[] = []
  page.on('request', async (request) => {
    if (request.url() === `${url}/health?from=mail`) cookies.push((await request.allHeaders()).cookie)
  })
  await page.goto(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`)
  await page.getByRole('link', { name: 'health' }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  expect(page.url()).toBe(`${url}/health?from=mail`)
  expect(cookies).toEqual([undefined, expect.stringContaining('console=')])
})

test('language and color scheme of the sign-in page are chosen without a mouse, and remembered', async () => {
  const context = await openContext(browser, { locale: 'en-US' })
  const page = await context.newPage()
  await page.goto(`${url}/accounts`)
  await page.getByRole('combobox', { name: 'Language' }).selectOption('日本語')
  await page.getByRole('heading', { name: 'サインイン' }).waitFor()
  await page.getByRole('combobox', { name: '表示' }).selectOption('dark')
  await page.reload()
  await page.getByRole('heading', { name: 'サインイン' }).waitFor()
  const root = page.locator('html')
  expect([await root.getAttribute('lang'), await root.getAttribute('data-mantine-color-scheme')]).toEqual([
    'ja',
    'dark',
  ])
})
