import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openContext } from '#testing'
import { startReceiver } from '../../events/test/receiver.ts'
import { type MailServerDouble, startMailServer } from './mail-server.ts'
import { type Managed, startManaged } from './managed.ts'
import { openAsOperator, openPagesBrowser } from './pages-browser.ts'

let mail: MailServerDouble
let managed: Managed
let browser: Browser
beforeAll(async () => {
  mail = await startMailServer()
  const consoleEnvironment = { SMTP_URL: mail.url, SMTP_FROM: 'notices@example.com' }
  managed = await startManaged({ consoleEnvironment })
  browser = await openPagesBrowser()
})
afterAll(async () => {
  await browser.close()
  await managed[Symbol.asyncDispose]()
  await mail[Symbol.asyncDispose]()
})

async function openNotices(locale = 'en-US') {
  const { account } = await managed.openShop()
  const { url } = managed.serviceStack.console
  const page = await openAsOperator(browser, {
    url,
    knex: managed.knex,
    path: `/accounts/${account}/notices`,
    locale,
  })
  return { page, account, url }
}

test('a member adds an address, and who has its mailbox reads what the link is for and confirms it', async () => {
  const { page, account, url } = await openNotices()
  await page.getByRole('button', { name: 'Add channel' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'E-mail address' }).fill('team@example.com')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Team')
  await dialog.getByRole('checkbox', { name: 'An API key is not used' }).uncheck()
  await dialog.getByLabel('Time zone').selectOption('Asia/Tokyo')
  await dialog.getByLabel('Quiet hours from').fill('22:00')
  await dialog.getByRole('button', { name: 'Add channel' }).click()
  await page.getByText('must be set together with the other end of the quiet hours').waitFor()
  await dialog.getByLabel('Quiet hours to').fill('07:00')
  await dialog.getByRole('button', { name: 'Add channel' }).click()
  await page.getByRole('heading', { name: 'Team' }).waitFor()
  await page.getByText('Not confirmed yet').waitFor()
  expect(await page.getByRole('button', { name: 'Send test notice' }).count()).toBe(0)

  const [confirmation] = mail.received
  const link = /https?:\S+#\S+/.exec(confirmation?.text ?? '')?.[0] ?? ''
  expect(link.startsWith(`${url}/notices/confirm#`)).toBe(true)
  const stranger = await (await openContext(browser, { locale: 'en-US' })).newPage()
  await stranger.goto(link)
  await stranger.getByText(`Do you want to receive notices about the account ${account} at team@example.com?`).waitFor()
  await stranger.getByText('A webhook fails').waitFor()
  expect(await stranger.getByText('An API key is not used').count()).toBe(0)
  await stranger.getByRole('button', { name: 'Confirm address' }).click()
  await stranger.getByRole('heading', { name: 'The address is confirmed' }).waitFor()
  await stranger.reload()
  await stranger.getByText('This link is not valid').waitFor()

  await page.reload()
  await page.getByRole('button', { name: 'Send test notice' }).click()
  await page.getByText('The test notice was accepted').waitFor()
  expect(mail.received.map(({ subject }) => subject)).toContain('Test notice')
})

test('a member adds a chat, sees why a test failed, enters another URL, and removes the channel', async () => {
  await using receiver = await startReceiver(({ path }) => ({ status: path.endsWith('/good') ? 200 : 404 }))
  const { page, account } = await openNotices()
  await page.getByRole('button', { name: 'Add channel' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'Chat' }).check()
  await dialog.getByLabel('URL of the incoming webhook').fill(`${receiver.url}/bad`)
  await dialog.getByRole('textbox', { name: 'Name' }).fill('On-call chat')
  await dialog.getByRole('button', { name: 'Add channel' }).click()
  await page.getByRole('heading', { name: 'On-call chat' }).waitFor()
  const sendTest = page.getByRole('button', { name: 'Send test notice' })
  await sendTest.click()
  await dialog.getByText('The chat rejected the message with the status 404.').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.getByText('Failing').waitFor()
  await page.getByLabel('New URL of the incoming webhook').fill(`${receiver.url}/good`)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved').first().waitFor()
  await sendTest.click()
  await dialog.getByText('The test notice was accepted').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.getByText('Active').waitFor()
  expect(await page.content()).not.toContain('/good')

  await page.getByRole('button', { name: 'Remove channel' }).click()
  await dialog.getByRole('button', { name: 'Remove channel' }).click()
  await page.getByText('No channels yet').waitFor()
  expect(page.url()).toContain(`/accounts/${account}/notices`)
})

test('the pages are in Japanese, too', async () => {
  const { page } = await openNotices('ja-JP')
  await page.getByRole('heading', { name: 'お知らせ' }).waitFor()
  await page.getByRole('button', { name: 'チャネルを追加' }).click()
  await page.getByRole('dialog').getByLabel('通知しない時間の開始').waitFor()
})
