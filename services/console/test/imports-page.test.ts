import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { adminApi } from '#admin-api'
import { createSitePageOpener } from './pages-browser.ts'
import { createUsageFixture } from './usage-fixture.ts'

const stage = createUsageFixture()
const openSitePage = createSitePageOpener(stage)

const toFile = (content: unknown, name = 'export.txt') => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
})
const listImports = async () => adminApi.listImports.output.parse((await stage.request('GET', '/imports')).body).imports
const linksOf = async (id: string) => {
  const { identity, call } = stage.serviceStack
  const { site } = stage.site
  const { users } = await identity.findUsers({ site, id }, call())
  const found = await Promise.all(users.map(({ identifier }) => identity.resolveUser({ site, identifier }, call())))
  return found.flatMap(({ links }) => links.map(({ provider, provider_user_id }) => `${provider} ${provider_user_id}`))
}

test('a file of another system is recognized, shown as its users will be, and imported with a chosen provider', async () => {
  const [first, second, blocked] = [randomUUID(), randomUUID(), randomUUID()]
  const users = [
    {
      user_id: `oauth2|shop-line|U${first}`,
      name: 'Yamada Hanako',
      identities: [{ provider: 'oauth2', user_id: `shop-line|U${first}`, connection: 'shop-line' }],
    },
    { user_id: `google-oauth2|${second}`, identities: [{ provider: 'google-oauth2', user_id: second }] },
    { user_id: `auth0|${blocked}`, blocked: true },
  ]
  const page = await openSitePage('/imports')
  await page.getByRole('button', { name: 'Import users' }).click()
  const dialog = page.getByRole('dialog')
  const chooser = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'File' }).click()
  await (await chooser).setFiles(toFile(users))
  await dialog.getByText('Recognized as: Auth0.').waitFor()
  await dialog.getByText('The user is blocked in the other system.').waitFor()
  await dialog.getByText('None: the user cannot log in.').waitFor()

  await dialog.getByRole('combobox', { name: 'Provider of the accounts “shop-line”' }).click()
  await page.getByRole('option', { name: 'LINE' }).click()
  await dialog.getByText('Yamada Hanako').waitFor()
  await dialog.getByText(`LINE: U${first}`).waitFor()
  await dialog.getByLabel('Also import users who are blocked').check()
  await dialog.getByText(`auth0|${blocked}`).waitFor()
  await dialog.getByLabel('Only check the file (dry run)').uncheck()
  await dialog.getByRole('button', { name: 'Import users' }).click()

  const notes = page.getByRole('alert').filter({ hasText: 'Notes on this import' })
  await notes.getByText('Omitted accounts of auth0: 1').waitFor()
  await notes.getByText('who cannot log in: 1').waitFor()
  await expect.poll(async () => (await listImports())[0]).toMatchObject({ state: 'done', created: 3, rejected: 0 })
  expect(await linksOf(`oauth2|shop-line|U${first}`)).toEqual([`messaging U${first}`])
  expect(await linksOf(`google-oauth2|${second}`)).toEqual([`search ${second}`])
})

test('a file that cannot be imported says why; of several realms, one is chosen', async () => {
  const realm = (name: string) => ({
    realm: name,
    users: [{ id: `user-of-${name}`, username: name, enabled: true }],
  })
  const page = await openSitePage('/imports')
  await page.getByRole('button', { name: 'Import users' }).click()
  const dialog = page.getByRole('dialog')
  const choose = async (file: ReturnType<typeof toFile>) => {
    const chooser = page.waitForEvent('filechooser')
    await dialog.getByRole('button', { name: 'File' }).click()
    await (await chooser).setFiles(file)
  }
  await choose(toFile('primery_key,x\na,b\n'))
  await dialog.getByRole('alert').getByText('primery_key (nearest: primary_key)').waitFor()
  await choose(toFile([realm('shop'), realm('staff')]))
  await dialog.getByRole('alert').getByText('The file has the realms shop, staff. Choose one of them.').waitFor()
  await dialog.getByRole('textbox', { name: 'Realm' }).fill('staff')
  await dialog.getByText('user-of-staff').waitFor()
  expect(await dialog.getByText('user-of-shop').count()).toBe(0)
})

test('rejected lines are saved with a byte order mark, in the language of the page, and without formulas', async () => {
  const page = await openSitePage('/imports', { locale: 'ja-JP' })
  await page.getByRole('button', { name: 'ユーザーをインポート' }).click()
  const dialog = page.getByRole('dialog')
  const chooser = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'ファイル' }).click()
  await (await chooser).setFiles(toFile('{"login_count":"many"}\n{"links":[{"=1+1":1}]}\n', 'rejected.ndjson'))
  await dialog.getByRole('button', { name: 'ユーザーをインポート' }).click()
  await page.getByRole('row', { name: 'rejected.ndjson' }).getByRole('button', { name: '拒否された行' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV をダウンロード' }).click(),
  ])
  const text = await readFile(await download.path(), 'utf8')
  expect(text.split('\r\n').slice(0, 2)).toEqual([
    '\ufeff"line","field","reason"',
    expect.stringMatching(/^"1","login_count","[^\x20-\x7e]+"$/),
  ])
})
