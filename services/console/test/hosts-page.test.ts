import { expect, test } from 'vitest'
import { adminApi } from '#admin-api'
import { createSitePageOpener } from './pages-browser.ts'
import { createUsageFixture } from './usage-fixture.ts'

const stage = createUsageFixture()
const openSitePage = createSitePageOpener(stage)

async function readHosts() {
  return adminApi.readSiteHosts.output.parse((await stage.request('GET', '/hosts')).body)
}

test('a host is added, with what proves it and what is missing, and removed', async () => {
  const page = await openSitePage('/hosts')
  await page.getByRole('button', { name: 'Add host' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Host' }).fill('https://login.shop.example/')
  await dialog.getByRole('button', { name: 'Add host' }).click()
  await dialog.getByText(/must be a host name such as login\.example\.com/).waitFor()
  await dialog.getByRole('textbox', { name: 'Host' }).fill('Login.Shop.Example')
  await dialog.getByRole('button', { name: 'Add host' }).click()
  const card = page.getByRole('region', { name: 'login.shop.example' })
  await card.getByText('Not proven').waitFor()
  const [host] = (await readHosts()).hosts
  await card.getByText('_social-login.login.shop.example').waitFor()
  await card
    .getByText(host?.txt_value ?? 'no value')
    .first()
    .waitFor()

  await card.getByRole('button', { name: 'Check now' }).click()
  await card.getByRole('alert').waitFor()

  await card.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('No hosts yet.').waitFor()
  expect((await readHosts()).hosts).toEqual([])
})

test('the host of the installation stays on until the site has another', async () => {
  const page = await openSitePage('/hosts')
  await page.getByRole('button', { name: 'Turn off' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
  await page
    .getByRole('dialog')
    .getByText(/must stay on until the site has another login host/)
    .waitFor()
  expect((await readHosts()).shared_host).toBe(true)
})

test('the account page is turned on, and off after a warning', async () => {
  const page = await openSitePage('/account-page')
  await page.getByText('End users have no account page.').waitFor()
  await page.getByText(/\/account\?site=/).waitFor()
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('End users have an account page.').waitFor()
  await page.getByLabel('Waiting period in days').fill('14')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(async () => (await stage.request('GET', '/account-page')).body)
    .toMatchObject({ enabled: true, deletion_waiting_days: 14 })
  await page.getByRole('button', { name: 'Turn off' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
  await page.getByText('End users have no account page.').waitFor()
  const { body } = await stage.request('GET', '/account-page')
  expect(body).toMatchObject({ enabled: false, deletion_waiting_days: 14, revision: 3 })
})
