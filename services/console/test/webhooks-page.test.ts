import { expect, test } from 'vitest'
import { startReceiver } from '../../events/test/receiver.ts'
import { createSitePageOpener } from './pages-browser.ts'
import { createUsageFixture } from './usage-fixture.ts'

const stage = createUsageFixture()
const openSitePage = createSitePageOpener(stage)

test('a member creates a webhook, stores its secret, and sends a test event whose response is shown', async () => {
  await using receiver = await startReceiver(() => ({ status: 418, body: 'a teapot' }))
  const page = await openSitePage('/webhooks')
  await page.getByRole('button', { name: 'Create webhook' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('CRM')
  await dialog.getByRole('textbox', { name: 'URL' }).fill(receiver.url)
  await dialog.getByRole('checkbox', { name: 'user.deleted' }).check()
  await dialog.getByRole('button', { name: 'Create webhook' }).click()
  await page.getByText(/^whsec_/).waitFor()
  await page.getByRole('checkbox', { name: 'I have stored it in a safe place' }).check()
  await page.getByRole('button', { name: 'Done' }).click()

  await page.getByRole('heading', { name: 'CRM' }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.getByRole('button', { name: 'Send test event' }).click()
  await page.getByText('The endpoint did not accept the test event.').waitFor()
  await page.getByText('a teapot').waitFor()
  expect(receiver.events()).toMatchObject([{ type: 'webhook.test' }])
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
})

test('the overview says that a webhook was paused, and leads to it', async () => {
  await using receiver = await startReceiver(() => ({ status: 410 }))
  const page = await openSitePage('/webhooks')
  await stage.request('POST', '/webhooks', { name: 'Gone', url: receiver.url })
  const { identity, call } = stage.serviceStack
  await identity.createUser({ site: stage.site.site, links: [] }, call())
  const isPaused = async () => JSON.stringify((await stage.request('GET', '/webhooks')).body).includes('"gone"')
  await expect.poll(isPaused).toBe(true)
  await page.getByRole('link', { name: 'Overview' }).click()
  const problem = page.getByRole('listitem').filter({ hasText: 'Webhook Gone was paused, because its endpoint failed' })
  await problem.getByRole('link', { name: 'Open webhook' }).click()
  await page.getByText('The endpoint responded with 410').waitFor()
})
