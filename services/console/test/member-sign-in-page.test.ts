import { mkdirSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openContext } from '#testing'
import { insertMember, upsertRole } from '../store/members.ts'
import { insertMemberSession } from '../store/sessions.ts'
import { type Managed, newAccount, openManaged } from './managed.ts'
import { startTestProvider, type TestProvider } from './openid-provider.ts'
import { openAsOperator, openPagesBrowser } from './pages-browser.ts'

const account = newAccount()
const domain = `${account}.example`
let stack: AsyncDisposableStack
let browser: Browser
let managed: Managed
let provider: TestProvider
beforeAll(async () => {
  stack = new AsyncDisposableStack()
  browser = stack.use(await openPagesBrowser())
  managed = stack.use(await openManaged())
  provider = stack.use(await startTestProvider({ client_id: 'console' }))
  await managed.operator('POST', '/accounts', { account, name: 'Acme Foods' })
  await managed.operator('POST', `/accounts/${account}/sites`, { site_id: 'shop', name: 'Shop', kind: 'production' })
})
afterAll(() => stack.disposeAsync())

const pathOf = (section: string) => `/accounts/${account}/${section}`
const screenshots = process.env.SCREENSHOTS

async function takeScreenshots(page: Page, name: string) {
  if (screenshots === undefined) return
  mkdirSync(screenshots, { recursive: true })
  for (const [width, colorScheme] of [
    [1440, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    await page.screenshot({ path: `${screenshots}/${name}-${width}-${colorScheme}.png`, fullPage: true })
  }
  await page.setViewportSize({ width: 1280, height: 900 })
}

test('an owner sets the provider up, proves a domain, tests it, and a member signs in with an e-mail address', async () => {
  const { url } = managed.serviceStack.console
  const page = await openAsOperator(browser, { url, knex: managed.knex, path: pathOf('sign-in') })
  await page.getByText(`${url}/sign-in/accounts/${account}/callback`).waitFor()
  await page.getByRole('textbox', { name: 'Issuer' }).fill(provider.url)
  await page.getByRole('textbox', { name: 'Client ID' }).fill('console')
  await page.getByLabel('Client secret').first().fill('secret')
  await page.getByRole('textbox', { name: 'Role claim' }).fill('groups')
  await page.getByRole('button', { name: 'Add rule' }).click()
  await page.getByRole('textbox', { name: 'Value of rule 1' }).fill('admins')
  await page.getByRole('combobox', { name: 'Role of rule 1' }).selectOption('owner')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Test sign-in' }).waitFor()

  await page.getByRole('button', { name: 'Add domain' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Domain' }).fill(domain)
  await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click()
  const card = page.getByRole('region', { name: domain })
  await card.getByText(`_social-login.${domain}`).waitFor()
  await takeScreenshots(page, 'settings')
  await card.getByRole('button', { name: 'Confirm as operator' }).click()
  await card.getByText('Proven', { exact: true }).waitFor()

  provider.user = { sub: 'ada', claims: { email: `ada@${domain}`, email_verified: true, groups: ['none'] } }
  await page.getByRole('button', { name: 'Test sign-in' }).click()
  await page.getByText('This member could not sign in').waitFor()
  await page.getByText('None of your values of the claim groups at localhost gives a role here.').waitFor()
  provider.user = { sub: 'ada', claims: { email: `ada@${domain}`, email_verified: true, groups: ['admins'] } }
  await page.getByRole('button', { name: 'Test sign-in' }).click()
  await page.getByText('The sign-in works. Role: Owner').waitFor()
  await takeScreenshots(page, 'tested')

  const member = await (await openContext(browser, { locale: 'en-US' })).newPage()
  await member.goto(`${url}${pathOf('members')}`)
  await member.getByRole('textbox', { name: 'E-mail address' }).fill('ada@unknown.example')
  await member.getByRole('button', { name: 'Continue' }).click()
  await member.getByText('There is no company sign-in for this address.').waitFor()
  await takeScreenshots(member, 'sign-in')
  await member.getByRole('textbox', { name: 'E-mail address' }).fill(`ada@${domain}`)
  await member.getByRole('button', { name: 'Continue' }).click()
  await member.getByRole('heading', { level: 1, name: 'Members' }).waitFor()
  await member.getByRole('row', { name: /ada.*Owner/ }).waitFor()

  const { body } = await managed.operator('GET', pathOf('sign-in'))
  const { provider: settings, revision } = Object(body)
  const required = await managed.operator('PUT', pathOf('sign-in'), { ...settings, required: true }, revision)
  expect(required.status).toBe(200)
  const now = new Date()
  const memberId = await managed.knex.transaction(async (trx) => {
    const id = await insertMember(trx, { name: 'Pat', operator: false, now })
    await upsertRole(trx, { member_id: id, account, role: 'owner' })
    return id
  })
  const session = await insertMemberSession(managed.knex, { member_id: memberId, browser: 'test', now })
  const byPasskey = await openContext(browser, { locale: 'en-US' })
  await byPasskey.addCookies([{ name: 'console', value: session, url }])
  const rejected = await byPasskey.newPage()
  await rejected.goto(`${url}${pathOf('members')}`)
  await rejected.getByText(`Members of ${account} must sign in at its own OpenID Provider.`).waitFor()
  await rejected.getByRole('alert').getByRole('link', { name: 'Sign in' }).click()
  await rejected.getByRole('textbox', { name: 'E-mail address' }).waitFor()
})

test('an owner gives a member roles in single sites', async () => {
  await managed.knex('account_providers').where({ account }).update({ required: false })
  const { url } = managed.serviceStack.console
  const page = await openAsOperator(browser, { url, knex: managed.knex, path: pathOf('members?new') })
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Ida')
  await dialog.getByRole('radio', { name: 'No role in the account' }).check()
  await dialog.getByRole('combobox', { name: 'Add a site…' }).selectOption('shop')
  await dialog.getByRole('combobox', { name: 'Shop' }).selectOption('editor')
  await takeScreenshots(page, 'roles')
  await dialog.getByRole('button', { name: 'Invite member' }).click()
  await page.getByRole('checkbox', { name: 'I have stored it in a safe place' }).check()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('row', { name: /Ida.*Editor in shop/ }).waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
})
