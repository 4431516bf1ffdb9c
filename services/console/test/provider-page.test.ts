import { expect, test } from 'vitest'
import { setSitePages } from './pages-browser.ts'
import { setUsageStage } from './usage-stage.ts'

const openSitePage = setSitePages(setUsageStage())

test('the page of a login provider has its guide in the language chosen, and what was entered stays', async () => {
  const page = await openSitePage('/providers/device')
  await page.getByText('Configure it for “Sign in with Apple”').waitFor()
  await page.getByLabel('Team ID').fill('ENTERED123')

  await page.getByRole('button', { name: 'Language' }).click()
  await page.getByRole('menuitem', { name: '日本語' }).click()
  await page.getByText('「Sign in with Apple」を設定し').waitFor()
  expect(await page.getByLabel('Team ID').inputValue()).toBe('ENTERED123')
}, 60_000)
