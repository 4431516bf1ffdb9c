import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Provider } from '#contracts'
import { openContext } from '#testing'
import { createSitePageOpener } from './pages-browser.ts'
import { createUsageFixture } from './usage-fixture.ts'

const stage = createUsageFixture()
const openSitePage = createSitePageOpener(stage)

/** Users by their primary_key, with the number of their logins. */
const logins = { twice: 2, once: 1, often: 3 }

async function createUser(primaryKey: string, count: number, provider: Provider) {
  const { identity, call } = stage.serviceStack
  const { site } = stage.site
  const link = { provider, provider_user_id: randomUUID() }
  const { user } = await identity.createUser({ site, primary_key: primaryKey, links: [link] }, call())
  for (let n = 0; n < count; n++) await identity.recordLogin({ site, login: randomUUID(), ...link }, call())
  return user
}

beforeAll(async () => {
  for (const [key, count] of Object.entries(logins))
    await createUser(key, count, key === 'twice' ? 'search' : 'messaging')
  await createUser('never', 0, 'search')
})
// Of the member of all tests.
beforeEach(() => stage.knex('members').update({ user_columns: null }))

const listKeys = async (page: Page) =>
  (await page.getByRole('row').locator('[data-title="primary_key"]').allInnerTexts()).filter(
    (key) => key in logins || key === 'never',
  )
const readTitles = (page: Page) => page.getByRole('columnheader').allInnerTexts()

test('users are sorted by the service, in both directions, and the address keeps it', async () => {
  const page = await openSitePage('/users')
  await expect.poll(() => listKeys(page)).toHaveLength(4)
  const title = page.getByRole('columnheader', { name: 'Logins' })
  await title.getByRole('button').click()
  await expect.poll(() => listKeys(page)).toEqual(['often', 'twice', 'once', 'never'])
  expect(await title.getAttribute('aria-sort')).toBe('descending')
  await title.getByRole('button').click()
  await expect.poll(() => listKeys(page)).toEqual(['never', 'once', 'twice', 'often'])
  await page.reload()
  await expect.poll(() => listKeys(page)).toEqual(['never', 'once', 'twice', 'often'])
  await page.getByRole('columnheader', { name: 'Last login' }).getByRole('button').click()
  await expect.poll(() => listKeys(page)).toEqual(['often', 'once', 'twice', 'never'])
})

test('conditions are combined, and a bulk change has those of the list', async () => {
  const page = await openSitePage('/users?state=active')
  await page.getByLabel('Linked provider').selectOption('search')
  await expect.poll(async () => (await listKeys(page)).toSorted()).toEqual(['never', 'twice'])
  await page.getByLabel('Last login').selectOption('7d')
  await expect.poll(() => listKeys(page)).toEqual(['twice'])
  await page.getByLabel('Last login').selectOption('')
  await page.getByRole('link', { name: 'Change all of these users' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change users' })
  await dialog.getByText('2 users').waitFor()
  expect(await dialog.getByLabel('State').first().inputValue()).toBe('active')
})

test('an export has the conditions and the columns of the list, to which others can be added', async () => {
  const page = await openSitePage('/users?state=active&provider=search')
  await page.getByRole('link', { name: 'Export these users' }).click()
  const dialog = page.getByRole('dialog', { name: 'Request export' })
  await dialog.getByLabel('ZIP password').fill('correct horse battery staple')
  await expect.poll(() => dialog.getByLabel('Linked provider').inputValue()).not.toBe('')
  const columns = dialog.getByRole('combobox', { name: 'Columns' })
  await columns.fill('app_metadata.plan')
  await columns.press('Enter')
  await columns.fill('phone')
  await page.getByRole('option', { name: 'phone', exact: true }).click()
  await columns.press('Escape')
  await dialog.getByRole('button', { name: 'Request export' }).click()
  const { site } = stage.site
  const readExport = () => stage.knex('exports').where({ site }).first('columns', 'filter', 'written', 'state')
  await expect.poll(readExport).toMatchObject({ state: 'ready', written: 2 })
  const usual = ['name', 'email', 'primary_key', 'providers', 'last_logged_in_at', 'login_count', 'created_at', 'state']
  expect(await readExport()).toMatchObject({
    columns: [...usual, 'app_metadata.plan', 'phone'],
    filter: { provider: 'search', user_state: 'active' },
  })
  await page.getByRole('link', { name: /^Download/ }).waitFor()
  await page.getByText('name and 9 more').waitFor()
})

test('the columns that a member chooses are the same in another browser', async () => {
  const page = await openSitePage('/users')
  await page.getByRole('button', { name: 'Columns' }).click()
  for (const name of ['E-mail address', 'State', 'Identifier'])
    await page.getByRole('menuitemcheckbox', { name }).click()
  const shown = ['', 'Name', 'primary_key', 'Login providers', 'Last login', 'Logins', 'Created', 'Identifier']
  await expect.poll(() => readTitles(page)).toEqual(shown)
  const stored = () => stage.knex('members').whereNotNull('user_columns').pluck('user_columns')
  await expect.poll(stored).toContainEqual(expect.not.arrayContaining(['email', 'state']))
  const browser = page.context().browser()
  if (browser === null) throw new Error('The page has no browser.')
  const otherContext = await openContext(browser)
  await otherContext.addCookies(await page.context().cookies())
  const other = await otherContext.newPage()
  await other.goto(page.url())
  await expect.poll(() => listKeys(other)).toHaveLength(4)
  expect(await readTitles(other)).toEqual(shown)
})
