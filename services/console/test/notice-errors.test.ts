import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest'
import { type AdminClient, startConsole } from './harness.ts'
import { startMailServer } from './mail-server.ts'

const address = 'private.person@example.com'
const password = 'pass:word'
const path = '/admin/v1/accounts/shop/notice-channels'

let logged: MockInstance<typeof console.warn>
beforeEach(() => {
  logged = vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  const lines = JSON.stringify(logged.mock.calls)
  logged.mockRestore()
  expect(lines).toContain('notice-channels')
  for (const secret of [address, password, encodeURIComponent(password)]) expect(lines).not.toContain(secret)
})

/** A console with this mail server, which logs everything. */
const startWithMail = (url: string) =>
  startConsole({ environment: { SMTP_URL: url, SMTP_FROM: 'notices@example.com', LOG_LEVEL: 'debug' } })

async function addAddress(owner: AdminClient) {
  const { status, body } = await owner.send('POST', path, { body: { name: 'Team', email_address: address } })
  expect(status).toBe(200)
  return Object(body)
}

test('a rejected address is added, and its channel has the status of the response', async () => {
  await using mail = await startMailServer()
  mail.onMessage = async () => {
    throw Object.assign(new Error(`There is no mailbox ${address}.`), { responseCode: 550 })
  }
  await using admin = await startWithMail(mail.url)
  const owner = await admin.createTokenClient('shop', 'owner')
  expect(await addAddress(owner)).toMatchObject({ last_error: 'rejected', last_status: 550, last_delivered_at: null })
})

test('wrong credentials of the operator are distinguished', async () => {
  await using mail = await startMailServer()
  const wrong = new URL(mail.url)
  wrong.password = 'wrong'
  await using admin = await startWithMail(wrong.href)
  const owner = await admin.createTokenClient('shop', 'owner')
  expect(await addAddress(owner)).toMatchObject({ last_error: 'authentication', confirmed_at: null })
  expect(mail.received).toEqual([])
})

test('a mail server that is not reachable is reported', async () => {
  const mail = await startMailServer()
  await mail[Symbol.asyncDispose]()
  await using admin = await startWithMail(mail.url)
  const owner = await admin.createTokenClient('shop', 'owner')
  expect(await addAddress(owner)).toMatchObject({ last_error: 'network', last_status: null })
})
