import { expect, test } from 'vitest'
import { openForTest } from '#testing'
import { createSitePageOpener } from './pages-browser.ts'
import { createUsageFixture } from './usage-fixture.ts'

const stage = createUsageFixture()
const openSitePage = createSitePageOpener(stage)

test('the settings show how many users a rule is for, warn before it is saved, and the user page shows the deletion', async () => {
  const { identity, call, database_urls } = stage.serviceStack
  const { site } = stage.site
  const { user } = await identity.createUser({ site, links: [] }, call())
  const { knex } = openForTest(database_urls.identity)
  await knex('users')
    .where({ site, identifier: user.identifier })
    .update({ created_at: new Date(Date.now() - 500 * 86_400_000) })
  await knex.destroy()

  const page = await openSitePage('/settings')
  const form = page.locator('form').filter({ has: page.getByLabel('Days without a login until the deletion') })
  await form.getByLabel('Days without a login until the deletion').fill('60')
  await form.getByLabel('Notice in days').fill('60')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('59', { exact: false }).waitFor()
  await form.getByLabel('Days without a login until the deletion').fill('365')
  await form.getByLabel('Notice in days').fill('14')
  await form.getByText('The deletion of 1 user would be announced today.').waitFor()
  await form.getByRole('button', { name: 'Save' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Deleted users cannot be restored.', { exact: false }).waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.poll(async () => (await identity.readInactivityRule({ site }, call())).delete_after_days).toBe(365)
  await expect
    .poll(async () => (await identity.readUserDeletion({ site, identifier: user.identifier }, call())).deletion)
    .not.toBeNull()

  const userPage = await openSitePage(`/users/${user.identifier}`)
  const notice = userPage.getByRole('alert').filter({ hasText: 'This user no longer logs in' })
  await notice.getByRole('button', { name: 'Keep user' }).click()
  await notice.waitFor({ state: 'detached' })
})
