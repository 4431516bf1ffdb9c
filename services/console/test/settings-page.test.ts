import { expect, test } from 'vitest'
import { adminApi } from '#admin-api'
import { createSitePageOpener } from './pages-browser.ts'
import { createUsageFixture } from './usage-fixture.ts'

const stage = createUsageFixture()
const openSitePage = createSitePageOpener(stage)

async function readSite() {
  return adminApi.readSite.output.parse((await stage.request('GET', '')).body)
}

test('profiles in events and older user lists are switched on on the settings page', async () => {
  const page = await openSitePage('/settings')
  const section = page.locator('section').filter({ has: page.getByRole('heading', { name: 'General' }) })
  await section.getByLabel('Profiles in events').check()
  await section.getByLabel('Slightly older user lists').check()
  await section.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(readSite).toMatchObject({ profile_in_events: true, users_may_be_stale: true })
})

test('the start page of a site is entered and removed on the settings page', async () => {
  const page = await openSitePage('/settings')
  const section = page.locator('section').filter({ has: page.getByRole('heading', { name: 'General' }) })
  for (const [entered, stored] of [
    ['https://shop.example.com/login', 'https://shop.example.com/login'],
    ['', null],
  ] as const) {
    await section.getByLabel('Start page').fill(entered)
    await section.getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(async () => (await readSite()).start_url).toBe(stored)
  }
})

test('compatibility options are selected and cleared on the settings page', async () => {
  const page = await openSitePage('/settings')
  const section = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Compatibility' }) })
  const save = () => section.getByRole('button', { name: 'Save', exact: true }).click()
  await section.getByLabel('One-time tokens are 40 hex digits').check()
  await section.getByLabel('Web API errors contain only code and message').check()
  await save()
  await expect
    .poll(async () => (await readSite()).compatibility.toSorted())
    .toEqual(['hex_one_time_tokens', 'short_errors'])
  await section.getByLabel('One-time tokens are 40 hex digits').uncheck()
  await save()
  await expect.poll(async () => (await readSite()).compatibility).toEqual(['short_errors'])
})
