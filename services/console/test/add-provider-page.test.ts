import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { adminApi } from '#admin-api'
import { type CatalogEntry, loadCatalog } from '#catalog'
import { type ForeignProvider, startForeignProvider } from '../../provider-auth/test/foreign-provider.ts'
import { createSitePageOpener } from './pages-browser.ts'
import { createUsageFixture } from './usage-fixture.ts'

const stage = createUsageFixture()
const openSitePage = createSitePageOpener(stage)

/** The protocol that is stored for a provider. */
async function readProtocol(provider: string) {
  const read = await stage.request('GET', `/providers/${provider}`)
  return adminApi.readProviderSettings.output.parse(read.body).definition?.protocol
}

let foreign: ForeignProvider
beforeAll(async () => {
  foreign = await startForeignProvider({ clients: [] })
})
afterAll(() => foreign[Symbol.asyncDispose]())
beforeEach(() => stage.openNewSite())

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
  await page.getByRole('button', { name: /^Protocol/ }).click()
  expect(await page.getByRole('combobox', { name: 'Client authentication' }).inputValue()).toBe('client_secret_basic')
  await page.getByLabel('Log out at the provider as well').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/\/oauth2\/logout\/return$/).waitFor()

  const list = await openSitePage('/providers', { locale: 'ja-JP' })
  await list.getByRole('link', { name: '社員アカウント' }).waitFor()
  const settings = await openSitePage('/settings', { locale: 'ja-JP' })
  const section = (title: string) =>
    settings.locator('section').filter({ has: settings.getByRole('heading', { name: title }) })
  await section('ログインボタン').getByText('社員アカウント').waitFor()
  await section('プロフィールの保存項目').getByText('社員アカウント').waitFor()
})

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
  await page.getByRole('button', { name: /^プロフィール ユーザーID/ }).click()
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
})

test('what differs from the standard is entered in sections, which open at an error', async () => {
  const page = await openSitePage('/providers/tracker')
  await page.getByLabel('Name for users (English)').fill('Tracker')
  await page.getByLabel('OAuth 2.0').check()
  for (const name of ['Authorization', 'Token', 'User'])
    await page.getByRole('textbox', { name: `${name} endpoint` }).fill(`https://tracker.example/${name.toLowerCase()}`)
  await page.getByRole('textbox', { name: 'Client ID', exact: true }).fill('c')
  await page.getByLabel('Client secret').fill('s')
  const section = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) })
  await section('Protocol').click()
  await page.getByLabel('Fixed parameters').fill('audience')
  await section('Protocol').click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Enter one name=value on each line.').waitFor()
  await page.getByLabel('Fixed parameters').fill('audience=all\nstyle=plain')
  await page.getByLabel('Use PKCE').uncheck()
  await section('Scopes').click()
  await page.getByLabel('Always').fill('read:user, read:mail')
  await section('Profile').click()
  await page.getByLabel('User ID', { exact: true }).fill('/data/mail')
  await page.getByLabel('Claims for birthday').fill('/born/year /born/month /born/day')
  await page.getByLabel('Details of birthday').fill('YYYY-MM-DD')
  await page.getByLabel('Claims for gender').fill('/sex')
  await page.getByLabel('Details of gender').fill('m')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Enter one name=value on each line.').waitFor()
  await page.getByLabel('Details of gender').fill('m=1\nf=2\n*=3')
  await page.getByRole('button', { name: 'Remove middle_name' }).click()
  await page.getByRole('combobox', { name: 'Add a field' }).click()
  await page.getByRole('option', { name: 'bio', exact: true }).click()
  await page.getByLabel('Claims for bio').fill('about')
  await page.getByRole('textbox', { name: 'Verified' }).fill('true')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/is no JSON Pointer/).waitFor()
  await page.getByLabel('Claims for bio').fill('/about')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/looks like an e-mail address/).waitFor()
  await page.getByLabel('User ID', { exact: true }).fill('/data/id')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/Setup is complete/).waitFor()
  expect(await readProtocol('tracker')).toMatchObject({
    pkce: false,
    parameters: { audience: 'all', style: 'plain' },
    scopes: { always: ['read:user', 'read:mail'], profile: [] },
    user_id: '/data/id',
    claims: {
      profile: {
        birthday: { as: 'date', from: ['/born/year', '/born/month', '/born/day'], format: 'YYYY-MM-DD' },
        gender: { as: 'code', from: '/sex', codes: { m: 1, f: 2 }, otherwise: 3 },
        bio: '/about',
      },
      email: { address: '/email', verified: true },
    },
  })
  expect(await readProtocol('tracker')).not.toHaveProperty('claims.profile.middle_name')
})

/** What a definition has: its settings, and its kinds of rules. */
function listParts({ definition: { protocol } }: CatalogEntry): string[] {
  const kinds = JSON.stringify(protocol.claims).match(/"(as|join|template|unless|otherwise|list|if)":("\w+")?/g) ?? []
  const settings = Object.entries(protocol).map(([name, value]) => `${name} ${typeof value} ${isEmpty(value)}`)
  return [protocol.type, ...settings, ...kinds]
}

const isEmpty = (value: unknown) => ['{}', '[]'].includes(JSON.stringify(value))

test('the form keeps definitions of the catalog as they are', async () => {
  const page = await openSitePage('/providers')
  const list = page.url()
  const seen = new Set<string>()
  for (const entry of loadCatalog().toSorted((a, b) => listParts(b).length - listParts(a).length)) {
    const parts = listParts(entry)
    // Others have nothing new.
    if (parts.every((part) => seen.has(part))) continue
    for (const part of parts) seen.add(part)
    const { name, definition } = entry
    await page.goto(`${list}/${name}?catalog=${name}`)
    await page.locator('[data-path=client_id]').fill('c')
    await page.locator('[data-path=client_secret]').fill('s')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/Setup is complete/).waitFor()
    expect(await readProtocol(name), name).toEqual(definition.protocol)
  }
})
