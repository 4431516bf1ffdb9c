import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ForeignProvider, startForeignProvider } from '../../provider-auth/test/foreign-provider.ts'
import { createSitePageOpener } from './pages-browser.ts'
import { createUsageFixture } from './usage-fixture.ts'

const openSitePage = createSitePageOpener(createUsageFixture())

let foreign: ForeignProvider
beforeAll(async () => {
  foreign = await startForeignProvider({ clients: [] })
})
afterAll(() => foreign[Symbol.asyncDispose]())

test('a provider is added by its issuer, after an error that names the field', async () => {
  const page = await openSitePage('/providers')
  await page.getByRole('button', { name: 'Add a provider' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name in the API').fill('search')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByText('This name is used by another provider.').waitFor()
  await dialog.getByLabel('Name in the API').fill('staff')
  await dialog.getByRole('button', { name: 'Continue' }).click()

  await page.getByText(/\/oauth2\/callback\/staff\//).waitFor()
  await page.getByLabel('Name for users (English)').fill('Staff account')
  await page.getByLabel('Name for users (Japanese)').fill('社員アカウント')
  await page.getByLabel('Issuer').fill(`${foreign.url}/wrong`)
  await page.getByRole('textbox', { name: 'Client ID', exact: true }).fill('login')
  await page.getByLabel('Client secret').fill('secret')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/has no discovery document/).waitFor()

  await page.getByLabel('Issuer').fill(foreign.url)
  await page.getByLabel('Client IDs of native apps').fill('staff-app')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Setup is complete. Users can log in with this provider.').waitFor()
  await page.reload()
  await expect.poll(() => page.getByLabel('Client IDs of native apps').inputValue()).toBe('staff-app')
  expect(await page.getByLabel('Further settings (JSON)').inputValue()).toContain('"client_authentication"')

  const list = await openSitePage('/providers', { locale: 'ja-JP' })
  await list.getByRole('link', { name: '社員アカウント' }).waitFor()
  const settings = await openSitePage('/settings', { locale: 'ja-JP' })
  const section = (title: string) =>
    settings.locator('section').filter({ has: settings.getByRole('heading', { name: title }) })
  await section('ログインボタン').getByText('社員アカウント').waitFor()
  await section('プロフィールの保存項目').getByText('社員アカウント').waitFor()
}, 90_000)

test('a provider of the catalog begins with its definition and guide, and can be removed', async () => {
  const page = await openSitePage('/providers', { locale: 'ja-JP' })
  await page.getByRole('button', { name: 'プロバイダーを追加' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'プロバイダー' }).click()
  await page.getByRole('option', { name: 'カカオ' }).click()
  expect(await dialog.getByLabel('APIでの名前').inputValue()).toBe('kakao')
  await dialog.getByRole('button', { name: '次へ' }).click()

  await page.getByText(/Kakao Developersでアプリケーションを追加/).waitFor()
  expect(await page.getByLabel('ユーザー情報エンドポイント').inputValue()).toBe('https://kapi.kakao.com/v2/user/me')
  const claims = { id: 1, kakao_account: { profile: { nickname: '홍길동' }, birthyear: '2002', birthday: '1130' } }
  await page.getByLabel('クレームを試す（JSON）').fill(JSON.stringify(claims))
  await page.getByRole('button', { name: 'プロフィールを表示' }).click()
  await page.getByText('"birthday": "2002-11-30"').waitFor()

  await page.getByLabel('REST APIキー').fill('key')
  await page.getByLabel('クライアントシークレット').fill('secret')
  await page.getByRole('button', { name: '保存' }).click()
  await page.getByText(/設定は完了しています/).waitFor()
  await page.getByRole('button', { name: 'このプロバイダーを削除' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'このプロバイダーを削除' }).click()
  await page.getByRole('button', { name: 'プロバイダーを追加' }).waitFor()
  expect(await page.getByRole('link', { name: 'カカオ' }).count()).toBe(0)
}, 90_000)
