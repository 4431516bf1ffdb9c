import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startReceiver } from '../../events/test/receiver.ts'
import { openStreams, readRecords } from './audit-stream-client.ts'
import { type Harness, startConsole } from './harness.ts'
import { openAsOperator, openPagesBrowser } from './pages-browser.ts'

let harness: Harness
let browser: Browser
beforeAll(async () => {
  browser = await openPagesBrowser()
  harness = await startConsole({ web: fileURLToPath(new URL('../web/dist', import.meta.url)) })
  // The clock of the browser.
  harness.clock.now = new Date()
})
afterAll(async () => {
  await browser.close()
  await harness[Symbol.asyncDispose]()
})

const open = (path: string, locale?: string) =>
  openAsOperator(browser, { url: harness.url, knex: harness.knex, path, ...(locale === undefined ? {} : { locale }) })

test('an operator creates a stream, stores its secret, sends a test entry, and sees that it sends', async () => {
  await using receiver = await startReceiver()
  const page = await open('/audit')
  await page.getByRole('main').getByRole('link', { name: 'Streams' }).click()
  await page.getByText('No streams yet').waitFor()
  await page.getByRole('button', { name: 'Create stream' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('SIEM')
  await dialog.getByRole('textbox', { name: 'URL' }).fill(receiver.url)
  await dialog.getByRole('button', { name: 'Create stream' }).click()
  await page.getByText(/^whsec_/).waitFor()
  await page.getByRole('checkbox', { name: 'I have stored it in a safe place' }).check()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('heading', { name: 'SIEM' }).waitFor()
  await page.getByRole('button', { name: 'Send test entry' }).click()
  await page.getByText('The receiver got the test entry').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => readRecords(receiver.events()).some(({ part }) => part === 'test')).toBe(true)
  await page.getByText('Sending', { exact: true }).waitFor()
})

test('a failing stream says why and what to do, and a change of the URL helps', async () => {
  await using receiver = await startReceiver(() => ({ status: 401, body: 'who are you?' }))
  await using other = await startReceiver()
  const streams = openStreams(await harness.createOperatorTokenClient(), '/admin/v1/audit-streams')
  const { stream } = await streams.create({ name: 'Failing', kind: 'otlp', url: receiver.url })
  const page = await open(`/audit-streams/${stream.stream_id}`)
  await page.getByText('The receiver responded with HTTP 401. Check the address and the credentials.').waitFor()
  await page.getByText('who are you?').waitFor()
  await page.getByRole('textbox', { name: 'URL' }).fill(other.url)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => other.received.length).toBeGreaterThan(0)
  await page.getByText('Sending', { exact: true }).waitFor()
  // The page of streams is empty for the next test.
  await harness.knex('audit_streams').delete()
})

test('the fields of syslog are shown for syslog', async () => {
  const page = await open('/audit-streams?new')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'Syslog over TLS' }).check()
  await dialog.getByRole('textbox', { name: 'Host' }).fill('localhost')
  expect(await dialog.getByRole('textbox', { name: 'Port' }).inputValue()).toBe('6514')
  expect(await dialog.getByRole('textbox', { name: 'Private key' }).count()).toBe(0)
  await dialog.getByRole('textbox', { name: 'Client certificate' }).fill('x')
  await dialog.getByRole('textbox', { name: 'Private key' }).waitFor()
})
