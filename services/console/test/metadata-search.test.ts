import { expect, test } from 'vitest'
import type { Metadata } from '#contracts'
import { createSitePageOpener } from './pages-browser.ts'
import { createUsageFixture } from './usage-fixture.ts'

const stage = createUsageFixture()
const openSitePage = createSitePageOpener(stage)

async function createUser(primaryKey: string, metadata: Partial<Metadata>): Promise<string> {
  const { identity, call } = stage.serviceStack
  const { site } = stage.site
  const { user } = await identity.createUser({ site, links: [], primary_key: primaryKey }, call())
  await identity.changeMetadata({ site, identifier: user.identifier, replace: false, ...metadata }, call())
  return user.identifier
}

const setPaths = (paths: readonly string[], revision: number) =>
  stage.request('PUT', '/metadata-search', { paths }, revision)
const whenIndexed = () =>
  expect.poll(async () => Object((await stage.request('GET', '/metadata-search')).body).indexing).toBeNull()
const list = (condition: string) => stage.request('GET', `/users?metadata=${encodeURIComponent(condition)}`)

test('lists, previews, bulk changes and exports are for the users with a value of their metadata', async () => {
  await stage.openNewSite()
  const gold = await createUser('one', { app_metadata: { plan: 'personal-gold' } })
  await createUser('two', { app_metadata: { plan: 'silver' } })
  const off = await stage.request('GET', '/metadata-search')
  expect(off.body).toEqual({ paths: [], indexing: null, revision: 0 })
  const condition = 'app_metadata.plan=personal-gold'
  const unknown = {
    status: 400,
    body: { error: { field: 'metadata', message: expect.stringContaining('app_metadata.plan') } },
  }
  expect(await list(condition)).toMatchObject(unknown)
  expect(await stage.request('POST', '/bulk-changes', { action: 'block', metadata: condition })).toMatchObject(unknown)
  const file = { password: 'correct horse battery', metadata: condition }
  expect(await stage.request('POST', '/exports', file)).toMatchObject(unknown)

  expect(await setPaths(['app_metadata.plan'], 0)).toMatchObject({ status: 200, body: { revision: 1 } })
  expect(await setPaths([], 0)).toMatchObject({ status: 412 })
  for (const paths of [
    ['plan'],
    ['user_metadata.tags.0'],
    ['app_metadata.a\0b'],
    ['app_metadata.a\ud800b'],
    ['app_metadata.plan', 'app_metadata.plan'],
    Array(11).fill('app_metadata.a'),
  ])
    expect(await setPaths(paths, 1)).toMatchObject({ status: 400 })
  await whenIndexed()
  expect(await list(condition)).toMatchObject({ body: { users: [{ identifier: gold }], total: null, next: null } })
  expect(await list('app_metadata.plan=')).toMatchObject({ status: 400 })
  const search = async (q: string) => Object((await stage.request('POST', '/users/search', { q })).body).users
  expect(await search(condition)).toMatchObject([{ identifier: gold, matches: [{ field: 'metadata', providers: [] }] }])
  expect(await search('user_metadata.plan=personal-gold')).toEqual([])
  const preview = await stage.request('POST', '/bulk-changes/preview', { metadata: condition })
  expect(preview.body).toEqual({ users: 1, complete: true })
  const bulk = await stage.request('POST', '/bulk-changes', { action: 'block', metadata: condition })
  expect(bulk.body).toMatchObject({ metadata: condition, selected: null })
  const changes = async () => Object((await stage.request('GET', '/bulk-changes')).body).changes[0]
  await expect.poll(changes).toMatchObject({ state: 'done', found: 1, changed: 1 })
  expect((await stage.request('POST', '/exports', file)).body).toMatchObject({ metadata: condition })
  const exports = async () => Object((await stage.request('GET', '/exports')).body).exports[0]
  await expect.poll(exports).toMatchObject({ state: 'ready', written: 1 })

  const audit = await stage.requestAdminApi('GET', `/accounts/${stage.site.account}/audit?limit=100`)
  expect(JSON.stringify(audit.body)).not.toContain('personal-')
  for (const action of ['requestBulkChange', 'requestExport'])
    expect(Object(audit.body).entries).toContainEqual(
      expect.objectContaining({ action, after: expect.objectContaining({ metadata: 'app_metadata.plan' }) }),
    )
})

test('an editor adds a path, and the list and the bulk change of its users have the condition', async () => {
  await stage.openNewSite()
  await createUser('sales-1', { user_metadata: { department: 'sales' } })
  await createUser('support-1', { user_metadata: { department: 'support' } })
  const plain = await openSitePage('/users')
  await plain.getByText('support-1', { exact: true }).waitFor()
  expect(await plain.getByLabel('Metadata').count()).toBe(0)

  const settings = await openSitePage('/settings')
  const section = settings
    .locator('section')
    .filter({ has: settings.getByRole('heading', { name: 'Filtering by metadata' }) })
  await section.getByRole('textbox', { name: 'Paths' }).fill('user_metadata.department\napp_metadata.plan')
  await section.getByRole('button', { name: 'Save', exact: true }).click()
  await expect
    .poll(async () => Object((await stage.request('GET', '/metadata-search')).body).paths)
    .toEqual(['app_metadata.plan', 'user_metadata.department'])

  const page = await openSitePage('/users')
  await page.getByLabel('Metadata').selectOption('user_metadata.department')
  await page.getByText('support-1', { exact: true }).waitFor()
  await page.getByLabel('Value (exact)').fill('sales')
  await page.getByLabel('Value (exact)').press('Enter')
  await page.getByText('support-1', { exact: true }).waitFor({ state: 'detached' })
  await page.getByText('sales-1', { exact: true }).waitFor()
  await page.reload()
  expect(await page.getByLabel('Value (exact)').inputValue()).toBe('sales')

  await page.getByRole('link', { name: 'Change all of these users' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change users' })
  await dialog.getByText('1 user').waitFor()
  await dialog.getByLabel('Value (exact)').fill('')
  await dialog.getByRole('button', { name: 'Start', exact: true }).click()
  await dialog.getByText('Enter the value, or choose no metadata.').waitFor()
  await dialog.getByLabel('Value (exact)').fill('sales')
  await dialog.getByText('1 user').waitFor()
  await dialog.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByText('Metadata: user_metadata.department=sales').waitFor()
})
