import { expect, test } from 'vitest'
import { createSitePageOpener } from './pages-browser.ts'
import { createUsageFixture, waitForReports } from './usage-fixture.ts'

const stage = createUsageFixture()
const openSitePage = createSitePageOpener(stage)

test.concurrent.each([
  {
    locale: 'en',
    button: 'Explain',
    shown: ['limit', 'The number is too small or too large.', 'Unknown parameters', 'lmit'],
  },
  {
    locale: 'ja',
    button: '調べる',
    shown: ['limit', '数値が小さすぎるか、大きすぎます。', '未知のパラメーター', 'lmit'],
  },
])('the page names parameter, reason, unknown parameters and documentation ($locale)', async (language) => {
  const { locale, button, shown } = language
  const response = await stage.callWebApi('203.0.113.7', 'users?limit=0&lmit=5')
  const requestId = response.headers.get('x-request-id') ?? ''
  await waitForReports(async () =>
    expect(await stage.request('GET', `/requests/${requestId}`)).toMatchObject({ status: 200 }),
  )

  const page = await openSitePage('/usage', { locale })
  await page.getByLabel('X-Request-Id').fill(requestId)
  await page.getByRole('button', { name: button, exact: true }).click()
  const result = page.getByRole('status').filter({ hasText: 'out_of_range' })
  for (const text of shown) await result.getByText(text).first().waitFor()
  const link = result.getByRole('link')
  expect(await link.getAttribute('href')).toBe('https://api.example.com/docs#error-6')
  await page.context().close()
})
