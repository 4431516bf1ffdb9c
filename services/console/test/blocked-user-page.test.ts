import { expect, test } from 'vitest'
import { createSitePageOpener } from './pages-browser.ts'
import { createUsageFixture } from './usage-fixture.ts'

const stage = createUsageFixture()
const openSitePage = createSitePageOpener(stage)

test('a user is blocked with a reason, found by the filter, and unblocked', async () => {
  const { identity, call } = stage.serviceStack
  const { site } = stage.site
  const { user } = await identity.createUser({ site, links: [], primary_key: `blocked-${site}` }, call())
  const page = await openSitePage(`/users/${user.identifier}`)
  await page.getByRole('button', { name: 'Block user' }).click()
  const dialog = page.getByRole('dialog', { name: 'Block this user?' })
  await dialog.getByLabel('Reason').fill('Sends spam')
  await dialog.getByLabel('Blocked until').fill('2100-01-01T10:00')
  await dialog.getByRole('button', { name: 'Block user' }).click()
  await dialog.waitFor({ state: 'detached' })
  const notice = page.getByRole('alert').filter({ hasText: 'This user is blocked' })
  await notice.getByText('Sends spam').waitFor()
  expect(await notice.textContent()).toMatch(/Blocked by Otto on .* Until .*2100/)

  await page.getByRole('button', { name: 'Change block' }).click()
  const change = page.getByRole('dialog', { name: 'Change the block' })
  expect(await change.getByLabel('Reason').inputValue()).toBe('Sends spam')
  expect(await change.getByLabel('Blocked until').inputValue()).toBe('2100-01-01T10:00')
  await change.getByLabel('Blocked until').fill('')
  await change.getByRole('button', { name: 'Change block' }).click()
  await notice.getByText('Until', { exact: false }).waitFor({ state: 'detached' })

  const list = await openSitePage('/users?state=blocked')
  await list
    .getByRole('row')
    .filter({ hasText: `blocked-${site}` })
    .getByText('Blocked', { exact: true })
    .waitFor()
  expect(await list.getByRole('status').first().textContent()).toBe('1 user')

  const other = await identity.createUser({ site, links: [], primary_key: `other-${site}` }, call())
  const all = await openSitePage('/users')
  for (const key of [`blocked-${site}`, `other-${site}`])
    await all.getByRole('row').filter({ hasText: key }).getByRole('checkbox').check()
  await all.getByRole('button', { name: 'Unblock 1 user' }).waitFor()
  await all.getByRole('button', { name: 'Block 2 users' }).click()
  const several = all.getByRole('dialog', { name: 'Block 2 users?' })
  await several.getByLabel('Reason').fill('Fraud')
  await several.getByRole('button', { name: 'Block 2 users' }).click()
  await several.waitFor({ state: 'detached' })
  for (const { identifier } of [user, other.user])
    expect((await identity.resolveUser({ site, identifier }, call())).user.block).toMatchObject({ reason: 'Fraud' })

  await notice.getByRole('button', { name: 'Unblock' }).click()
  await notice.waitFor({ state: 'detached' })
  expect((await identity.resolveUser({ site, identifier: user.identifier }, call())).user.block).toBeUndefined()
})
