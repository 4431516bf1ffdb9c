import { expect, test } from 'vitest'
import { createSitePageOpener } from './pages-browser.ts'
import { createUsageFixture } from './usage-fixture.ts'

const openSitePage = createSitePageOpener(createUsageFixture())

test('the page of a login provider has its guide in the selected language, and the input stays when the language changes', async () => {
  const page = await openSitePage('/providers/device')
  await page.getByText('Configure the Services ID for “Sign in with Apple”').waitFor()
  await page.getByLabel('Team ID').fill('ENTERED123')

  await page.getByRole('button', { name: 'Language' }).click()
  await page.getByRole('menuitem', { name: '日本語' }).click()
  await page.getByText('「Sign in with Apple」を設定し').waitFor()
  expect(await page.getByLabel('Team ID').inputValue()).toBe('ENTERED123')
})
