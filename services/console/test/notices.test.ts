import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { limits } from '#contracts'
import { createEncryptor, EncryptionKeys, keyRing, toTimestamp } from '#runtime'
import { startReceiver } from '../../events/test/receiver.ts'
import { cleanUpNotices, reencryptChatUrls } from '../background/notices.ts'
import { decryptChatUrl } from '../notices/chat-urls.ts'
import { type AdminClient, getText, type Harness, startConsole } from './harness.ts'
import { type MailServerDouble, startMailServer } from './mail-server.ts'

let mail: MailServerDouble
let console: Harness
beforeAll(async () => {
  mail = await startMailServer()
  const environment = { SMTP_URL: mail.url, SMTP_FROM: 'Social login <notices@example.com>' }
  console = await startConsole({ environment })
})
afterAll(async () => {
  await console[Symbol.asyncDispose]()
  await mail[Symbol.asyncDispose]()
})

let accounts = 0
/** A new account with a token of an owner, which outlives the time that tests let pass. */
async function openAccount() {
  const account = `notices-${++accounts}`
  const owner = await console.createTokenClient(account, 'owner', new Date('2040-01-01T00:00:00Z'))
  return { account, owner, path: `/admin/v1/accounts/${account}/notice-channels` }
}

async function add(client: AdminClient, path: string, channel: object) {
  const response = await client.send('POST', path, { body: { name: 'Team', ...channel } })
  expect(response.status, JSON.stringify(response.body)).toBe(200)
  return { channel: Object(response.body), ofChannel: `${path}/${Object(response.body).channel_id}` }
}

/** Something happens in the account: a member accepts an invitation. */
async function addMember(account: string, role: 'viewer' | 'editor' = 'viewer') {
  const token = await console.createLink('Mia', { account, role })
  const member = await console.createMemberClient({ name: 'Mia' })
  expect(await member.send('POST', '/sign-in/join', { body: { token } })).toMatchObject({ status: 200 })
}

const emailsTo = (address: string) => mail.received.filter(({ to }) => to.includes(address))
const linkOf = (address: string) => /\/notices\/confirm#([\w-]+)/.exec(emailsTo(address).at(-1)?.text ?? '')?.[1] ?? ''
/** Opens the link of the last e-mail as its page does, without a session. */
const sendLink = (path: string, token: string) =>
  console.anonymous.send('POST', path, { body: { token }, headers: { 'x-console': '1', origin: console.url } })
const confirm = (address: string) => sendLink('/notices/link/confirm', linkOf(address))

test('an address gets nothing before it is confirmed by its link, which works once', async () => {
  const { account, owner, path } = await openAccount()
  const address = 'team@example.com'
  const inSevenDays = toTimestamp(new Date(console.clock.now.getTime() + 7 * 86_400_000))
  const { channel, ofChannel } = await add(owner, path, { email_address: address, language: 'ja' })
  expect(channel).toMatchObject({ email_address: address, confirmed_at: null, confirm_until: inSevenDays })
  expect(emailsTo(address)).toMatchObject([{ subject: `${account}に関するお知らせの送信先の確認` }])
  expect(await owner.send('POST', `${ofChannel}/tests`, { body: {} })).toMatchObject({ status: 409 })
  expect(await owner.send('POST', `${ofChannel}/confirmations`, { body: {} })).toMatchObject({
    status: 409,
    body: { error: { reason: 'confirmation_sent_recently' } },
  })
  await addMember(account)

  const token = linkOf(address)
  const shown = await sendLink('/notices/link', token)
  expect(shown).toMatchObject({ status: 200, body: { account, name: 'Team', email_address: address } })
  expect(await confirm(address)).toMatchObject({ status: 200, body: { confirm_until: null } })
  expect(await sendLink('/notices/link/confirm', token)).toMatchObject({
    status: 404,
    body: { error: { reason: 'confirmation_link_invalid' } },
  })
  await addMember(account, 'editor')
  await expect.poll(() => emailsTo(address).length).toBe(2)
  const [, notice] = emailsTo(address)
  expect(notice?.subject).toBe(`${account}: 編集者の権限を持つメンバーが追加されました`)
  expect(notice?.text).toContain(`${console.url}/accounts/${account}/members#notice-`)
  expect(notice?.html).toContain(`<a href="${console.url}/accounts/${account}/members#notice-`)
  expect(JSON.stringify(notice)).not.toContain('Mia')
  await expect
    .poll(async () => Object((await owner.send('GET', ofChannel)).body))
    .toMatchObject({
      waiting: 0,
      last_delivered_at: expect.any(String),
      last_error: null,
    })
})

test('a new link replaces the earlier one, and an address that is not confirmed is removed after seven days', async () => {
  const { owner, path } = await openAccount()
  const address = 'late@example.com'
  const { ofChannel } = await add(owner, path, { email_address: address })
  const first = linkOf(address)
  console.clock.pass(61)
  expect(await owner.send('POST', `${ofChannel}/confirmations`, { body: {} })).toMatchObject({ status: 200 })
  expect(await sendLink('/notices/link', first)).toMatchObject({ status: 404 })
  const second = linkOf(address)
  console.clock.pass(7 * 86_400)
  expect(await sendLink('/notices/link/confirm', second)).toMatchObject({ status: 404 })
  await cleanUpNotices(console.knex, console.clock.now)
  expect(await owner.send('GET', ofChannel)).toMatchObject({ status: 404 })
})

test('a chat gets JSON in its format; its URL is in no response and not in the audit trail', async () => {
  await using receiver = await startReceiver()
  const { account, owner, path } = await openAccount()
  const chatUrl = `${receiver.url}/very-secret`
  const { channel, ofChannel } = await add(owner, path, { chat_url: chatUrl })
  expect(channel).toMatchObject({ email_address: null, chat_host: new URL(chatUrl).host, chat_format: 'text' })
  expect(await owner.send('POST', `${ofChannel}/tests`, { body: {} })).toMatchObject({
    status: 200,
    body: { delivered: true, error: null },
  })
  expect(receiver.events()).toEqual([{ text: expect.stringMatching(/^Test notice\n/) }])
  const change = { chat_format: 'content', chat_url: `${chatUrl}/2` }
  const headers = { 'if-match': '"1"' }
  expect(await owner.send('PATCH', ofChannel, { body: change, headers })).toMatchObject({ status: 200 })
  await addMember(account)
  await expect.poll(() => receiver.received.length).toBe(2)
  expect(receiver.received[1]?.path).toBe('/events/very-secret/2')
  expect(receiver.events()[1]).toEqual({
    content: expect.stringContaining('A member with the role viewer was added'),
    allowed_mentions: { parse: [] },
  })
  await owner.send('DELETE', ofChannel)
  const trail = await owner.send('GET', `/admin/v1/accounts/${account}/audit`)
  const listed = await owner.send('GET', path)
  expect(JSON.stringify([trail.body, listed.body, channel])).not.toContain('very-secret')
  expect(JSON.stringify(trail.body)).toContain('removeNoticeChannel')
})

test('the address is masked in the audit trail', async () => {
  const { account, owner, path } = await openAccount()
  await add(owner, path, { email_address: 'private@example.com' })
  const { body } = await owner.send('GET', `/admin/v1/accounts/${account}/audit`)
  expect(JSON.stringify(body)).toContain('addNoticeChannel')
  expect(JSON.stringify(body)).not.toContain('private@')
})

test('a failed message is sent again with growing pauses and the same IDs, until it is given up', async () => {
  await using receiver = await startReceiver(() => ({ status: 500 }))
  const { account, owner, path } = await openAccount()
  const { ofChannel } = await add(owner, path, { chat_url: receiver.url })
  const read = async () => Object((await owner.send('GET', ofChannel)).body)
  await addMember(account)
  const pauses = [60, 300, 900, 3_600, 4 * 3_600, 12 * 3_600, 24 * 3_600]
  for (const [index, pause] of pauses.entries()) {
    await expect.poll(() => receiver.received.length).toBe(index + 1)
    await expect.poll(read).toMatchObject({ last_error: 'rejected', last_status: 500, waiting: 1 })
    console.clock.pass(pause)
  }
  await expect.poll(read).toMatchObject({ waiting: 0 })
  expect(receiver.received.length).toBe(pauses.length + 1)
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
})

test('a message whose result was not stored is sent again with the same Message-ID', async () => {
  const { account, owner, path } = await openAccount()
  const address = 'twice@example.com'
  const { ofChannel } = await add(owner, path, { email_address: address })
  await confirm(address)
  // The database fails between the mail server's response and the end of the notice.
  const { knex } = console
  await knex.raw(`
    create function reject_end() returns trigger language plpgsql as
      $$ begin raise exception 'the result is lost'; end $$;
    create trigger reject_end before update on notices for each row when (new.next_attempt_at is null)
      execute function reject_end()`)
  await addMember(account)
  await expect.poll(() => emailsTo(address).length).toBe(2)
  await expect.poll(async () => Object((await owner.send('GET', ofChannel)).body)).toMatchObject({ waiting: 1 })
  await knex.raw('drop trigger reject_end on notices; drop function reject_end()')
  console.clock.pass(60)
  await expect.poll(() => emailsTo(address).length).toBe(3)
  const [, first, second] = emailsTo(address)
  expect(second).toEqual(first)
  expect(first?.message_id).toMatch(/^[\w-]{36}@localhost$/)
  await expect.poll(async () => Object((await owner.send('GET', ofChannel)).body)).toMatchObject({ waiting: 0 })
})

test('notices wait during quiet hours, and arrive in one message when they end', async () => {
  const { account, owner, path } = await openAccount()
  const address = 'sleeper@example.com'
  const { now } = console.clock
  const minuteOf = (hours: number) => new Date(now.getTime() + hours * 3_600_000).toISOString().slice(11, 16)
  const quiet = { quiet_from: minuteOf(-1), quiet_to: minuteOf(2) }
  const { ofChannel } = await add(owner, path, { email_address: address, ...quiet })
  await confirm(address)
  await addMember(account)
  await addMember(account, 'editor')
  // Another channel without quiet hours has its notice, so that the first would have it, too.
  await using receiver = await startReceiver()
  await add(owner, path, { name: 'Chat', chat_url: receiver.url })
  await addMember(account)
  await expect.poll(() => receiver.received.length).toBe(1)
  expect(await owner.send('GET', ofChannel)).toMatchObject({ body: { waiting: 3 } })
  console.clock.pass(2 * 3_600)
  await expect.poll(() => emailsTo(address).length).toBe(2)
  const [, notice] = emailsTo(address)
  expect(notice?.subject).toBe(`3 notices about ${account}`)
  expect(notice?.text.match(/A member with the role/g)).toHaveLength(3)
})

test('a channel gets only the kinds that were chosen; one for single sites gets nothing about the account', async () => {
  await using receiver = await startReceiver()
  const { account, owner, path } = await openAccount()
  const chat = (name: string, settings: object) => add(owner, path, { name, chat_url: receiver.url, ...settings })
  const { ofChannel } = await chat('Exports', { kinds: ['export_ready'] })
  await chat('All', {})
  await addMember(account)
  await expect.poll(() => receiver.received.length).toBe(1)
  const headers = { 'if-match': '"1"' }
  const change = { kinds: ['member_added'], name: 'Members' }
  expect(await owner.send('PATCH', ofChannel, { body: change, headers })).toMatchObject({
    status: 200,
    body: { kinds: ['member_added'], revision: 2 },
  })
  expect(await owner.send('PATCH', ofChannel, { body: change, headers })).toMatchObject({ status: 412 })
  await addMember(account)
  await expect.poll(() => receiver.received.length).toBe(3)
})

test('only owners see and change channels', async () => {
  const { account, owner, path } = await openAccount()
  await using receiver = await startReceiver()
  const { ofChannel } = await add(owner, path, { chat_url: receiver.url })
  const editor = await console.createTokenClient(account, 'editor')
  const stranger = await console.createTokenClient('another', 'owner')
  const requests = [
    ['GET', path],
    ['POST', path, { name: 'Mine', chat_url: receiver.url }],
    ['GET', ofChannel],
    ['POST', `${ofChannel}/tests`, {}],
    ['DELETE', ofChannel],
  ] as const
  for (const [method, requested, body] of requests) {
    expect(await editor.send(method, requested, { body })).toMatchObject({ status: 403 })
    expect(await stranger.send(method, requested, { body })).toMatchObject({ status: 404 })
  }
  expect(receiver.received).toEqual([])
})

test.each([
  [{}, { reason: 'one_notice_address' }],
  [{ email_address: 'a@example.com', chat_url: 'https://chat.example.com/' }, { reason: 'one_notice_address' }],
  [{ email_address: 'a at example.com' }, { fields: [{ field: 'email_address', reason: 'not_an_email' }] }],
  [{ chat_url: 'https://10.0.0.1/' }, { field: 'chat_url', reason: 'public_https' }],
  [{ chat_url: 'https://a:b@example.com/' }, { fields: [{ field: 'chat_url', reason: 'not_a_chat_url' }] }],
  [
    { email_address: 'a@example.com', chat_format: 'text' },
    { field: 'chat_format', reason: 'chat_only' },
  ],
  [{ time_zone: 'Mars/Olympus' }, { fields: [{ field: 'time_zone', reason: 'not_a_time_zone' }] }],
  [{ quiet_from: '24:00' }, { fields: [{ field: 'quiet_from', reason: 'not_a_time_of_day' }] }],
  [{ quiet_from: '22:00' }, { field: 'quiet_to', reason: 'quiet_hours_incomplete' }],
])('a channel is rejected with the reason: %j', async (channel, error) => {
  const { owner, path } = await openAccount()
  expect(await owner.send('POST', path, { body: { name: 'Team', ...channel } })).toMatchObject({
    status: 400,
    body: { error },
  })
})

test('a second channel of a name is a conflict', async () => {
  const { owner, path } = await openAccount()
  await add(owner, path, { email_address: 'one@example.com' })
  const again = await owner.send('POST', path, { body: { name: 'Team', email_address: 'two@example.com' } })
  expect([again.status, getText(again, 'error', 'reason')]).toEqual([409, 'channel_exists'])
  expect(emailsTo('two@example.com')).toEqual([])
})

test('without a mail server, an address is rejected with what the operator must set', async () => {
  await using another = await startConsole()
  const owner = await another.createTokenClient('shop', 'owner')
  const path = '/admin/v1/accounts/shop/notice-channels'
  expect(await owner.send('GET', path)).toMatchObject({ body: { channels: [], email_available: false } })
  const response = await owner.send('POST', path, { body: { name: 'Team', email_address: 'a@example.com' } })
  expect(response.status).toBe(400)
  expect(getText(response, 'error', 'message')).toContain('SMTP_URL')
})

test('an account that requested too many links gets the reason, and sends no more e-mail today', async () => {
  const { account, owner, path } = await openAccount()
  const { ofChannel } = await add(owner, path, { email_address: 'flooded@example.com' })
  const entry = { at: console.clock.now, action: 'resendNoticeConfirmation', account, actor: 'owner' }
  const rows = Array.from({ length: limits.notice_links_per_day }, () => ({
    ...entry,
    address: '203.0.113.7',
    request_id: crypto.randomUUID(),
  }))
  await console.knex('audit_entries').insert(rows)
  console.clock.pass(61)
  expect(await owner.send('POST', `${ofChannel}/confirmations`, { body: {} })).toMatchObject({
    status: 409,
    body: { error: { reason: 'too_many_links' } },
  })
  expect(emailsTo('flooded@example.com').length).toBe(1)
})

test('the URLs of chats are encrypted again with a new key; without the key, the channel says that they are not readable', async () => {
  await using receiver = await startReceiver()
  const { owner, path } = await openAccount()
  const { channel, ofChannel } = await add(owner, path, { chat_url: receiver.url })
  const ring = `new:${randomBytes(32).toString('base64')},${inject('encryption_keys')}`
  using encryptor = await createEncryptor(keyRing(EncryptionKeys.parse(ring)))
  await reencryptChatUrls(console.knex, encryptor)
  const { channel_id } = channel
  const { chat_url_encrypted } = await console.knex('notice_channels').where({ channel_id }).first()
  expect(chat_url_encrypted.subarray(0, encryptor.head().length)).toEqual(encryptor.head())
  expect(await decryptChatUrl(encryptor, channel_id, chat_url_encrypted)).toBe(receiver.url)
  // The console has only the old key.
  expect(await owner.send('POST', `${ofChannel}/tests`, { body: {} })).toMatchObject({
    body: { delivered: false, error: 'not_readable' },
  })
})
