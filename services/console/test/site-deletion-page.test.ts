import { expect, test } from 'vitest'
import { waitFor } from '#testing'
import { insertMember, upsertRole } from '../store/members.ts'
import { insertMemberSession } from '../store/sessions.ts'
import { createSitePageOpener } from './pages-browser.ts'
import { createUsageFixture } from './usage-fixture.ts'

const stage = createUsageFixture()
const openSitePage = createSitePageOpener(stage)

/** Requests the deletion as a new owner. */
async function requestAsOwner(): Promise<void> {
  const { knex, site, serviceStack } = stage
  const { url } = serviceStack.console
  const now = new Date()
  const memberId = await knex.transaction(async (trx) => {
    const id = await insertMember(trx, { name: 'Olga', operator: false, now })
    await upsertRole(trx, { member_id: id, account: site.account, role: 'owner' })
    return id
  })
  const cookie = `console=${await insertMemberSession(knex, { member_id: memberId, browser: 'test', now })}`
  const response = await fetch(`${url}/admin/v1/accounts/${site.account}/sites/${site.site_id}/deletion`, {
    method: 'POST',
    headers: { cookie, 'x-console': '1', origin: url, 'content-type': 'application/json' },
    body: JSON.stringify({ confirm_site_id: site.site_id, reason: 'The shop has closed' }),
  })
  expect(response.status).toBe(200)
}

test('a deletion is requested by typing the ID of the site, shown on all pages, and canceled', async () => {
  await stage.openNewSite()
  const page = await openSitePage('/settings')
  await page.getByRole('button', { name: 'Request deletion' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('1 client').waitFor()
  await expect.poll(() => dialog.getByRole('button', { name: 'Request deletion' }).isDisabled()).toBe(true)
  await dialog.getByLabel('Reason').fill('The shop has closed')
  await dialog.getByLabel('Type to confirm').or(dialog.getByRole('textbox').last()).last().fill(stage.site.site_id)
  await dialog.getByRole('button', { name: 'Request deletion' }).click()
  const banner = page.getByRole('alert').filter({ hasText: 'The deletion of this site was requested' })
  await banner.waitFor()
  expect(await banner.textContent()).toContain('You requested it')
  await page.getByRole('link', { name: 'Clients' }).first().click()
  await banner.getByRole('button', { name: 'Cancel deletion' }).click()
  await banner.waitFor({ state: 'detached' })
})

test('a second person approves, follows the deletion, and then returns to the account', async () => {
  await stage.openNewSite()
  await requestAsOwner()
  const page = await openSitePage('')
  const banner = page.getByRole('alert').filter({ hasText: 'The deletion of this site was requested' })
  expect(await banner.textContent()).toContain('The shop has closed')
  await banner.getByRole('button', { name: 'Approve deletion' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve deletion' }).click()
  await page.getByText('This site is being').first().waitFor()
  await waitFor(
    async () => {
      await stage
        .knex('site_deletion_requests')
        .where({ site: stage.site.site })
        .whereNotNull('next_step_at')
        .update({ next_step_at: new Date() })
      expect(await page.getByText('This site was deleted').isVisible()).toBe(true)
    },
    { interval: 500 },
  )
  await page.getByRole('link', { name: 'Sites of the account' }).click()
  await page.waitForURL(`**/accounts/${stage.site.account}`)
})
