import { expect, test } from 'vitest'
import { adminApi } from '#admin-api'
import { createSitePageOpener } from './pages-browser.ts'
import { createUsageFixture } from './usage-fixture.ts'

const stage = createUsageFixture()
const openSitePage = createSitePageOpener(stage)

async function read() {
  return adminApi.readSite.output.parse((await stage.request('GET', '')).body)
}

test('a button name that another member saved meanwhile is shown and saved together with the entered names', async () => {
  const page = await openSitePage('/settings')
  const buttons = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Login buttons' }) })
  const name = (provider: string) =>
    buttons.getByRole('listitem').filter({ hasText: provider }).getByLabel('Name in English')
  await name('LINE').fill('Our LINE')

  const changes = { provider_names: { search: { en: 'Google account' } } }
  expect((await stage.request('PATCH', '', changes, (await read()).revision)).status).toBe(200)
  await buttons.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Google – Name in English is now Google account').waitFor()
  await page.getByRole('button', { name: 'Apply these changes and keep my input' }).click()
  expect(await name('Google').inputValue()).toBe('Google account')
  await buttons.getByRole('button', { name: 'Save', exact: true }).click()
  await expect
    .poll(async () => (await read()).provider_names)
    .toEqual({ messaging: { en: 'Our LINE' }, search: { en: 'Google account' } })
})
