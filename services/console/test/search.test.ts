import { expect, test } from 'vitest'
import { createSitePageOpener } from './pages-browser.ts'
import { createUsageFixture } from './usage-fixture.ts'

const stage = createUsageFixture()
const openSitePage = createSitePageOpener(stage)

async function openSearch(path = '') {
  const page = await openSitePage(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog', { name: 'Search' })
  const field = dialog.getByRole('textbox', { name: 'Search' })
  await field.waitFor()
  return { page, dialog, field }
}

const pathOfSite = () => `/accounts/${stage.site.account}/sites/${stage.site.site_id}`
const pathOf = (address: string) => new URL(address).pathname + new URL(address).search

test('Ctrl K finds a page of the site, and Enter opens it', async () => {
  const { page, dialog, field } = await openSearch()
  await field.fill('allowed')
  await dialog.getByRole('option', { name: 'Allowed addresses' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Allowed addresses' }).waitFor()
  expect(pathOf(page.url())).toBe(`${pathOfSite()}/addresses`)
  expect(await dialog.count()).toBe(0)
})

test('the search finds clients by name, providers by both names, and users by their exact primary_key', async () => {
  const { identity, call } = stage.serviceStack
  const primaryKey = `customer-${stage.site.site}`
  const { user } = await identity.createUser({ site: stage.site.site, links: [], primary_key: primaryKey }, call())
  const { page, dialog, field } = await openSearch('/settings')
  const { body } = await stage.request('GET', '/clients')
  const [{ name, client_id } = { name: '', client_id: '' }] = Reflect.get(Object(body), 'clients')
  await field.fill(name)
  await dialog.getByRole('option', { name: client_id }).waitFor()
  await field.fill('search')
  await dialog.getByRole('option', { name: 'Google' }).waitFor()
  await field.fill(primaryKey)
  await dialog.getByRole('option', { name: primaryKey }).click()
  await expect.poll(() => pathOf(page.url())).toBe(`${pathOfSite()}/users/${user.identifier}`)
})

test('the search finds sites of every account that the member may see', async () => {
  const { identity, call } = stage.serviceStack
  const name = `Harbour ${stage.site.site}`
  await identity.registerSite({ account: stage.site.account, site_id: 'harbour', name }, call())
  const { page, dialog, field } = await openSearch()
  await field.fill(name.toLowerCase())
  await dialog.getByRole('option', { name }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
})

test('an action opens its dialog, which the address contains; without matches the search says so', async () => {
  const { page, dialog, field } = await openSearch()
  await field.fill('no such thing')
  await dialog.getByText('Nothing found.').waitFor()
  await field.fill('create client')
  await dialog.getByRole('option', { name: 'Create client' }).click()
  await page.getByRole('dialog', { name: 'Create client' }).waitFor()
  expect(pathOf(page.url())).toBe(`${pathOfSite()}/clients?new`)
  await page.reload()
  await page.getByRole('dialog', { name: 'Create client' }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => pathOf(page.url())).toBe(`${pathOfSite()}/clients`)
})

test('the search finds settings, and pages of the documentation by their headings', async () => {
  const { page, dialog, field } = await openSearch()
  await field.fill('stored profile')
  await dialog.getByRole('option', { name: 'Stored profile fields' }).click()
  await page.getByRole('heading', { level: 2, name: 'Stored profile fields' }).waitFor()
  expect(new URL(page.url()).hash).toBe('#Stored%20profile%20fields')
  await page.keyboard.press('Control+k')
  await page.context().route('https://docs.example.com/**', (route) => route.fulfill({ body: 'documentation' }))
  await field.fill('follow logins')
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    dialog.getByRole('option', { name: 'Logins of a site' }).click(),
  ])
  await opened.waitForURL('https://docs.example.com/login/use/logins.html')
})
