import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { createSitePageOpener } from './pages-browser.ts'
import { createUsageFixture } from './usage-fixture.ts'

const stage = createUsageFixture()
const openSitePage = createSitePageOpener(stage)
const names = ['Client 10', 'Client 9', '=1+1']

beforeEach(async () => {
  await stage.openNewSite()
  for (const name of names)
    await stage.request('POST', '/clients', { kind: 'public', name, redirect_uris: ['https://shop.example.com/cb'] })
})

async function openClients(): Promise<Page> {
  const page = await openSitePage('/clients')
  await page.getByRole('link', { name: 'Client 10' }).waitFor()
  return page
}
const listNames = async (page: Page) =>
  (await page.getByRole('row').getByRole('link').allInnerTexts()).filter((name) => names.includes(name))

test('a table is sorted by a column, numbers in names by size, and its address keeps the order', async () => {
  const page = await openClients()
  const title = page.getByRole('columnheader', { name: 'Name' })
  expect(await title.getAttribute('aria-sort')).toBe('none')
  await title.getByRole('button').click()
  await expect.poll(() => listNames(page)).toEqual(['=1+1', 'Client 9', 'Client 10'])
  await title.getByRole('button').click()
  await expect.poll(() => listNames(page)).toEqual(['Client 10', 'Client 9', '=1+1'])
  expect(await title.getAttribute('aria-sort')).toBe('descending')
  await page.reload()
  await expect.poll(() => listNames(page)).toEqual(['Client 10', 'Client 9', '=1+1'])
})

test('a member chooses columns, which the browser keeps', async () => {
  const page = await openClients()
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Type' }).click()
  const titles = () => page.getByRole('columnheader').allInnerTexts()
  await expect.poll(titles).toEqual(['', 'Name', 'Redirect URIs', 'Created'])
  await page.reload()
  await page.getByRole('link', { name: 'Client 10' }).waitFor()
  expect(await titles()).toEqual(['', 'Name', 'Redirect URIs', 'Created'])
})

test('the CSV has what is shown, in its order, and no formula', async () => {
  const page = await openClients()
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
  await expect.poll(() => listNames(page)).toEqual(['=1+1', 'Client 9', 'Client 10'])
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download as CSV' }).click(),
  ])
  const lines = (await readFile(await download.path(), 'utf8')).split('\r\n')
  expect(lines[0]).toBe('\ufeff"Name","Type","Redirect URIs","Created"')
  expect(lines[1]).toMatch(/^"'=1\+1","Public","1","20\d\d-\d\d-\d\dT/)
  expect(lines).toHaveLength(1 + 1 + names.length + 1)
})

test('the arrow keys move the focus between rows', async () => {
  const page = await openClients()
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
  await expect.poll(() => listNames(page)).toEqual(['=1+1', 'Client 9', 'Client 10'])
  await page.getByRole('link', { name: 'Client 9' }).focus()
  const focused = () => page.evaluate<string>('document.activeElement.textContent')
  await page.keyboard.press('ArrowDown')
  expect(await focused()).toBe('Client 10')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  expect(await focused()).toBe('=1+1')
})

test('selected rows are removed together, after a confirmation', async () => {
  const page = await openClients()
  const row = (name: string) => page.getByRole('row', { name })
  for (const name of ['Client 9', '=1+1']) await row(name).getByRole('checkbox', { name: 'Select row' }).check()
  await page.getByRole('button', { name: 'Remove 2 clients' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove 2 clients?' })
  await dialog.getByText('You cannot undo this.').waitFor()
  await dialog.getByRole('button', { name: 'Remove 2 clients' }).click()
  await row('=1+1').waitFor({ state: 'detached' })
  await expect.poll(() => listNames(page)).toEqual(['Client 10'])
  await dialog.waitFor({ state: 'detached' })
})

test('a list of more than a hundred rows has pages, and the CSV has all rows', async () => {
  const add = (name: string) =>
    stage.request('POST', '/clients', { kind: 'public', name, redirect_uris: ['https://shop.example.com/cb'] })
  const length = 101
  for (let index = 0; index < length; index++) expect((await add(`Long ${index}`)).status).toBe(200)
  const page = await openClients()
  const body = page.getByRole('rowgroup').nth(1).getByRole('row')
  await expect.poll(() => body.count()).toBe(100)
  await page.getByRole('button', { name: '2', exact: true }).click()
  await expect.poll(() => body.count()).toBeLessThan(100)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download as CSV' }).click(),
  ])
  expect((await readFile(await download.path(), 'utf8')).split('\r\n').length).toBeGreaterThan(length)
})

test.each([
  ['webhooks', 'No webhooks yet.', 'Create webhook'],
  ['imports', 'No imports yet.', 'Import users'],
  ['bulk-changes', 'No bulk changes yet.', 'Change users'],
  ['exports', 'No exports yet.', 'Request export'],
])('the empty list of %s offers the first action', async (section, empty, action) => {
  const page = await openSitePage(`/${section}`)
  await page.getByText(empty).waitFor()
  await page.getByRole('link', { name: action }).click()
  await page.getByRole('dialog', { name: action }).waitFor()
})
