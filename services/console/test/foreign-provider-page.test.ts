import { describe, expect, test } from 'vitest'
import { keycloak } from '../../provider-auth/test/foreign-products/keycloak.ts'
import { createSitePageOpener } from './pages-browser.ts'
import { createUsageFixture } from './usage-fixture.ts'

const client = { client_id: 'login-service', client_secret: 'a-secret-of-the-provider-and-of-us' }

const languages = [
  {
    locale: 'en-US',
    slug: 'staff_en',
    add: 'Add a provider',
    name: 'Name in the API',
    next: 'Continue',
    english: 'Name for users (English)',
    id: 'Client ID',
    secret: 'Client secret',
    save: 'Save',
    complete: /Setup is complete/,
    begin: 'Start test login',
    profile: 'Stored profile',
  },
  {
    locale: 'ja-JP',
    slug: 'staff_ja',
    add: 'プロバイダーを追加',
    name: 'APIでの名前',
    next: '次へ',
    english: '利用者に表示する名前（英語）',
    id: 'クライアントID',
    secret: 'クライアントシークレット',
    save: '保存',
    complete: /設定は完了しています/,
    begin: 'テストログインを開始',
    profile: '保存されたプロフィール',
  },
]

describe.skipIf(keycloak.program === undefined).each(languages)('in the console, $locale', (t) => {
  const stage = createUsageFixture()
  const openSitePage = createSitePageOpener(stage)

  test('Keycloak is added by its issuer, and a test login shows its user', async () => {
    const page = await openSitePage('/providers', { locale: t.locale })
    await page.getByRole('button', { name: t.add }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(t.name).fill(t.slug)
    await dialog.getByRole('button', { name: t.next }).click()
    const callback = await page.getByText(`/oauth2/callback/${t.slug}/`).innerText()
    await using product = await keycloak.start({ ...client, callback, logout_return: 'http://localhost/unused' })

    await page.getByLabel(t.english).fill('Staff')
    await page.getByLabel('Issuer').fill(product.issuer)
    await page.getByRole('textbox', { name: t.id, exact: true }).fill(client.client_id)
    await page.getByLabel(t.secret).fill(client.client_secret)
    await page.getByRole('button', { name: t.save }).click()
    await page.getByText(t.complete).waitFor()

    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('button', { name: t.begin }).click(),
    ])
    for (const [name, value] of Object.entries(product.answers)) await tab.locator(`input[name=${name}]`).fill(value)
    await tab.locator('[type=submit]').click()
    await page.getByText(t.profile).waitFor()
    expect(await page.getByText(product.email).count()).toBeGreaterThan(0)
  }, 300_000)
})
