import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openContext, sharedStack } from '#testing'
import { openPagesBrowser } from './pages-browser.ts'

let browser: Browser
let consoleUrl: string
beforeAll(async () => {
  browser = await openPagesBrowser()
  consoleUrl = (await sharedStack()).console.url
})
afterAll(() => browser.close())

async function openSignInPage(query: string, { locale = 'en-US', width = 1280 } = {}): Promise<Page> {
  const page = await (await openContext(browser, { locale })).newPage()
  await page.setViewportSize({ width, height: 844 })
  await page.goto(`${consoleUrl}/sign-in${query}`)
  return page
}

const rejected = '?error=not_signed_in&reason=sign_in_provider_rejected&provider=login.example.com'

test.each([
  ['en-US', ['Sign-in failed', 'login.example.com did not sign you in. Try again.']],
  ['ja-JP', ['サインインできませんでした', 'login.example.com でサインインできませんでした。もう一度お試しください。']],
])('the sign-in page shows the error of the operator’s own provider in %s', async (locale, texts) => {
  const page = await openSignInPage(rejected, { locale })
  const alert = page.getByRole('alert')
  for (const text of texts) await alert.getByText(text, { exact: true }).waitFor()
})

test('the sign-in page explains that no member has the identity', async () => {
  const page = await openSignInPage('?error=not_allowed')
  await page.getByRole('alert').getByText('No member is linked to your account').waitFor()
})

test('the sign-in page shows only parameters that look like host names', async () => {
  const page = await openSignInPage('?error=not_signed_in&reason=sign_in_provider_rejected&provider=call%20555-0100')
  await page.getByRole('alert').waitFor()
  expect(await page.getByText('555-0100').count()).toBe(0)
})

test('the sign-in page fits a phone in Japanese', async () => {
  const page = await openSignInPage('', { locale: 'ja-JP', width: 390 })
  await page.getByRole('heading', { name: 'サインイン' }).waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
})
