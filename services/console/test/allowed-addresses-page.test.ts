import { expect, test } from 'vitest'
import { adminApi } from '#admin-api'
import { createSitePageOpener } from './pages-browser.ts'
import { createUsageFixture, waitForReports } from './usage-fixture.ts'

const stage = createUsageFixture()
const openSitePage = createSitePageOpener(stage)

async function allowed() {
  return adminApi.readSite.output.parse((await stage.request('GET', '')).body).allowed_addresses
}

/** Allows every address, as a new site. */
async function resetAddresses(): Promise<void> {
  const { revision } = adminApi.readSite.output.parse((await stage.request('GET', '')).body)
  expect((await stage.request('PATCH', '', { allowed_addresses: [] }, revision)).status).toBe(200)
}

test('saving a list that would block a current caller requires typing the site ID', async () => {
  await resetAddresses()
  await expect.poll(async () => (await stage.callWebApi('203.0.113.7', 'appinfo')).status).toBe(200)
  await waitForReports(async () => {
    const body = { allowed_addresses: ['192.0.2.1'] }
    expect(await stage.request('POST', '/allowed-addresses/preview', body)).toMatchObject({
      body: { blocked: [{ address: '203.0.113.7' }] },
    })
  })
  const page = await openSitePage('/addresses')
  const list = page.getByLabel('Addresses', { exact: true })
  const save = page.getByRole('button', { name: 'Save', exact: true })
  const question = page.getByRole('dialog', { name: 'Block current callers?' })
  await list.fill('192.0.2.1')
  await save.click()
  await question.getByText('203.0.113.7').waitFor()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'detached' })
  expect(await allowed()).toEqual([])
  expect(await list.inputValue()).toBe('192.0.2.1')

  await save.click()
  const block = question.getByRole('button', { name: 'Save and block' })
  await question.getByText('203.0.113.7').waitFor()
  expect(await block.isDisabled()).toBe(true)
  await question.getByLabel(/To confirm, type/).fill(stage.site.site_id)
  await block.click()
  await page.getByText('Saved.').waitFor()
  expect(await allowed()).toEqual(['192.0.2.1'])

  // This list blocks no current caller, so no dialog opens.
  await list.fill('192.0.2.1\n203.0.113.7')
  await save.click()
  await expect.poll(allowed).toEqual(['192.0.2.1', '203.0.113.7'])

  await list.fill('0.0.0.0/0')
  await save.click()
  const open = page.getByRole('dialog', { name: 'Allow every address?' })
  await open.getByLabel(/To confirm, type/).fill(stage.site.site_id)
  await open.getByRole('button', { name: 'Save and allow' }).click()
  await expect.poll(allowed).toEqual(['0.0.0.0/0'])
})

test('input during saving stays', async () => {
  const page = await openSitePage('/addresses')
  const list = page.getByLabel('Addresses', { exact: true })
  const saving = Promise.withResolvers<void>()
  await page.route('**/admin/v1/**', async (route) => {
    if (route.request().method() === 'PATCH') await saving.promise
    await route.continue()
  })
  await list.fill('203.0.113.7')
  const sent = page.waitForRequest((request) => request.method() === 'PATCH')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await sent
  await list.fill('203.0.113.7\n203.0.113.8')
  saving.resolve()
  await page.getByText('Saved.').waitFor()
  expect(await list.inputValue()).toBe('203.0.113.7\n203.0.113.8')
  expect(await allowed()).toEqual(['203.0.113.7'])
})
