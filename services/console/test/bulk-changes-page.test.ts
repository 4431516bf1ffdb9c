import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSitePageOpener } from './pages-browser.ts'
import { createUsageFixture } from './usage-fixture.ts'

const stage = createUsageFixture()
const openSitePage = createSitePageOpener(stage)

test('users are unlinked by conditions with a preview and a report, and a waiting deletion is canceled', async () => {
  const { identity, call } = stage.serviceStack
  const { site } = stage.site
  const link = (provider: 'messaging' | 'search') => ({ provider, provider_user_id: randomUUID() })
  await identity.createUser({ site, links: [link('messaging'), link('search')] }, call())
  const { user } = await identity.createUser({ site, links: [link('search')] }, call())

  const page = await openSitePage('/bulk-changes')
  await page.getByRole('link', { name: 'Change users' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change users' })
  await dialog.getByText('2 users match now.').waitFor()
  await dialog.getByRole('combobox', { name: 'Action' }).click()
  await page.getByRole('option', { name: 'Unlink a provider' }).click()
  await dialog.getByRole('button', { name: 'Start' }).click()
  await dialog.getByText('Choose a provider.').waitFor()
  await dialog.getByRole('combobox', { name: 'Provider to unlink' }).click()
  await page.getByRole('option', { name: 'Google', exact: true }).click()
  await dialog.getByLabel('Created before').fill('2000-01-01')
  await dialog.getByText('No user matches now.').waitFor()
  await dialog.getByLabel('Created before').fill('2100-01-01')
  await dialog.getByText('2 users match now.').waitFor()
  await dialog.getByRole('button', { name: 'Start' }).click()
  const row = page.getByRole('row').filter({ hasText: 'Unlink a provider' })
  await row.getByText('done').waitFor()
  await row.getByRole('button', { name: '1 failed' }).click()
  const failed = page.getByRole('dialog', { name: 'Users that could not be changed' })
  await failed.getByText('The provider is the last one of the user.').waitFor()
  expect(await failed.getByRole('link').getAttribute('href')).toContain(user.identifier)
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Change users' }).click()
  await dialog.getByRole('combobox', { name: 'Action' }).click()
  await page.getByRole('option', { name: 'Delete', exact: true }).click()
  await dialog.getByText('the deletion starts in a day', { exact: false }).waitFor()
  await dialog.getByRole('button', { name: 'Start' }).click()
  const deletion = page.getByRole('row').filter({ hasText: 'Delete' })
  await deletion.getByText('scheduled').waitFor()
  await deletion.getByRole('button', { name: 'Cancel change Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel change' }).click()
  await deletion.getByText('canceled').waitFor()
})
