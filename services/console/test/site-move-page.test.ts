import { expect, test as vitestTest } from 'vitest'
import { isCitus, waitFor } from '#testing'
import { startManaged } from './managed.ts'
import { createSitePageOpener } from './pages-browser.ts'
import { issueMoveToken } from './site-move-harness.ts'
import { createUsageFixture } from './usage-fixture.ts'

/** Citus has no triggers, which freeze a site (`freezeSite`). */
const test = vitestTest.skipIf(isCitus)

const stage = createUsageFixture()
const openSitePage = createSitePageOpener(stage)

test('an operator moves a site to another cell, rolls it back, and moves it again and commits', async () => {
  await stage.openNewSite()
  await using target = await startManaged()
  let token = await issueMoveToken(target)
  const page = await openSitePage('/settings')
  const start = async () => {
    await page.getByRole('button', { name: 'Start move' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Console of the other cell').fill(target.serviceStack.console.url)
    await dialog.getByLabel('Web API of the other cell').fill(new URL(target.serviceStack.web_api).origin)
    await dialog.getByLabel('Login pages of the other cell').fill(target.serviceStack.auth)
    await dialog.getByLabel('Operator token of the other cell').fill(token)
    await dialog.getByRole('button', { name: 'Start move' }).click()
    await waitFor(() => page.getByRole('status', { name: 'The other cell serves the site' }).waitFor())
  }
  const confirm = async (action: string) => {
    await page.getByRole('button', { name: action }).click()
    await page.getByRole('dialog').getByRole('button', { name: action }).click()
  }
  await start()
  expect(await page.getByRole('row', { name: /^Copies/ }).count()).toBe(0)
  await target.knex('tokens').delete()
  await confirm('Roll back')
  await page.getByText('The other cell does not accept the token of the move any more.').waitFor()
  token = await issueMoveToken(target)
  await page.getByRole('button', { name: 'Replace token' }).click()
  await page.getByRole('dialog').getByLabel('Operator token of the other cell').fill(token)
  await page.getByRole('dialog').getByRole('button', { name: 'Replace token' }).click()
  await waitFor(() => page.getByRole('status', { name: 'Rolled back' }).waitFor())
  expect(await page.getByRole('row', { name: /^Committed or undone by/ }).textContent()).toContain('Otto')
  await start()
  await confirm('Commit move')
  await waitFor(() => page.getByRole('status', { name: /^Committ/ }).waitFor())
})
