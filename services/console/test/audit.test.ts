import { afterAll, beforeAll, expect, test } from 'vitest'
import { openForTest } from '#testing'
import { type AdminClient, getFault, getText, type Harness, startConsole } from './harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startConsole()
})
afterAll(() => harness[Symbol.asyncDispose]())

interface Entry {
  readonly entry: string
  readonly action: string
}

async function trail({ send }: AdminClient, account: string, query = ''): Promise<{ entries: Entry[]; more: boolean }> {
  const { body } = await send('GET', `/admin/v1/accounts/${account}/audit${query}`)
  return { entries: Reflect.get(Object(body), 'entries'), more: Reflect.get(Object(body), 'more') }
}

/** The time of the console’s clock, as entries state it. */
const readClock = () => `${harness.clock.now.toISOString().slice(0, 19)}Z`

test('every change has an entry with actor, address, request ID, before and after', async () => {
  const owner = await harness.createMemberClient({ name: 'Olga', roles: { audited: 'owner' } })
  const member = await harness.createMemberClient({ name: 'Victor', roles: { audited: 'viewer' } })
  const changed = await owner.send('PUT', `/admin/v1/accounts/audited/members/${member.member_id}`, {
    body: { role: 'editor' },
  })
  const issued = await owner.send('POST', '/admin/v1/accounts/audited/tokens', { body: { name: 'CI', role: 'viewer' } })
  expect((await trail(owner, 'audited')).entries).toEqual([
    expect.objectContaining({ action: 'issueToken', before: null, after: expect.objectContaining({ name: 'CI' }) }),
    {
      entry: expect.any(String),
      at: readClock(),
      action: 'changeMember',
      account: 'audited',
      site_id: null,
      actor: 'Olga',
      actor_kind: 'member',
      member_id: owner.member_id,
      token_id: null,
      address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
      request_id: changed.headers.get('x-request-id'),
      outcome: 'succeeded',
      fault: null,
      before: { member_id: member.member_id, role: 'viewer', site_roles: {} },
      after: { member_id: member.member_id, role: 'editor', site_roles: {} },
    },
  ])
  const byToken = await harness.createTokenClient('audited', 'owner')
  await byToken.send('DELETE', `/admin/v1/accounts/audited/tokens/${getText(issued, 'token_id')}`)
  expect((await trail(owner, 'audited')).entries[0]).toMatchObject({ action: 'revokeToken', actor: 'owner of audited' })
})

test('rejected and successful changes have different outcomes; requests with invalid input or role have no entry', async () => {
  const owner = await harness.createMemberClient({ roles: { rejecting: 'owner' } })
  const viewer = await harness.createTokenClient('rejecting', 'viewer')
  const tokens = '/admin/v1/accounts/rejecting/tokens'
  await owner.send('DELETE', `/admin/v1/accounts/rejecting/members/${owner.member_id}`)
  await owner.send('POST', tokens, { body: { name: '', role: 'viewer' } })
  await viewer.send('POST', tokens, { body: { name: 'mine', role: 'owner' } })
  await owner.send('POST', tokens, { body: { name: 'CI', role: 'viewer' } })
  const [done, rejected, ...others] = (await trail(owner, 'rejecting')).entries
  expect(others).toEqual([])
  expect(done).toMatchObject({ action: 'issueToken', outcome: 'succeeded', fault: null })
  expect(rejected).toMatchObject({
    action: 'removeMember',
    outcome: 'rejected',
    fault: 'conflict',
    before: { member_id: owner.member_id },
  })
  expect((await trail(owner, 'rejecting', '?outcome=rejected')).entries).toEqual([rejected])
})

/** Makes Postgres reject inserts into the table, as during a shutdown, until disposed. */
async function rejectInserts(knex: Harness['knex'], table: string): Promise<AsyncDisposable> {
  await knex.raw(`
    create or replace function reject_insert() returns trigger language plpgsql as
      $$ begin raise exception 'shutting down' using errcode = '57P01'; end $$`)
  await knex.raw('create trigger reject_insert before insert on ?? for each row execute function reject_insert()', [
    table,
  ])
  return { [Symbol.asyncDispose]: () => knex.raw('drop trigger reject_insert on ??', [table]) }
}

test('no change is made if its entry cannot be added', async () => {
  const owner = await harness.createMemberClient({ roles: { strict: 'owner' } })
  const issue = () => owner.send('POST', '/admin/v1/accounts/strict/tokens', { body: { name: 'CI', role: 'viewer' } })
  {
    await using _ = await rejectInserts(harness.knex, 'audit_entries')
    expect(getFault(await issue())).toBe('unavailable')
  }
  expect(await harness.knex('tokens').where({ account: 'strict' })).toEqual([])
  expect((await issue()).status).toBe(200)
})

test('a change of the console’s own data is rolled back if its outcome cannot be written, and its entry stays', async () => {
  const owner = await harness.createMemberClient({ name: 'Pending', roles: { pending: 'owner' } })
  {
    await using _ = await rejectInserts(harness.knex, 'audit_outcomes')
    const issued = await owner.send('POST', '/admin/v1/accounts/pending/tokens', {
      body: { name: 'CI', role: 'viewer' },
    })
    expect(getFault(issued)).toBe('unavailable')
  }
  expect(await harness.knex('tokens').where({ account: 'pending' })).toEqual([])
  expect((await trail(owner, 'pending')).entries).toMatchObject([
    { action: 'issueToken', actor: 'Pending', outcome: 'unknown', after: { name: 'CI', role: 'viewer' } },
  ])
})

test('sign-ins have an entry with the method', async () => {
  await using development = await startConsole({ environment: { NODE_ENV: 'development' } })
  const token = await development.createSignInLink('Ada')
  const headers = { 'x-console': '1', origin: development.url }
  const opened = await development.anonymous.send('POST', '/sign-in/link', { body: { token }, headers })
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? ''
  expect(await development.anonymous.send('GET', '/admin/v1/audit', { headers: { cookie } })).toMatchObject({
    body: {
      entries: [
        { action: 'signIn', actor: 'Ada', account: null, after: { by: 'link' }, outcome: 'succeeded' },
        { action: 'acceptInvitation', actor: 'Ada' },
      ],
    },
  })
})

test('the trail contains no secrets, neither tokens nor links', async () => {
  const owner = await harness.createMemberClient({ roles: { secret: 'owner' } })
  const issued = await owner.send('POST', '/admin/v1/accounts/secret/tokens', { body: { name: 'CI', role: 'viewer' } })
  const invited = await owner.send('POST', '/admin/v1/accounts/secret/invitations', {
    body: { name: 'Ida', role: 'viewer' },
  })
  const secrets = [getText(issued, 'token'), getText(invited, 'link')?.split('#')[1], owner.cookie.split('=')[1]]
  const { entries } = await trail(owner, 'secret')
  expect(entries).toHaveLength(2)
  const rows = JSON.stringify([entries, await harness.knex('audit_entries')])
  for (const secret of secrets) {
    expect(secret).toMatch(/[\w-]{20}/)
    expect(rows).not.toContain(secret)
  }
})

test('entries cannot be changed or removed, even with the service’s own role', async () => {
  const owner = await harness.createMemberClient({ roles: { stored: 'owner' } })
  await owner.send('POST', '/admin/v1/accounts/stored/tokens', { body: { name: 'CI', role: 'viewer' } })
  await using ownRole = openForTest(harness.database_url)
  const { knex } = ownRole
  const attempts = [
    () => knex('audit_entries').update({ actor: 'someone else' }),
    () => knex('audit_entries').delete(),
    () => knex('audit_entries').truncate(),
    () => knex('audit_outcomes').update({ outcome: 'rejected', fault: 'conflict' }),
    () => knex('audit_outcomes').delete(),
    () =>
      knex.transaction(async (trx) => {
        await trx.raw('grant update on audit_entries to current_user')
        await trx('audit_entries').update({ actor: 'someone else' })
      }),
  ]
  for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: '42501' })
  expect((await trail(owner, 'stored')).entries).toHaveLength(1)
})

test('pages have no gaps or repeats while entries are added, and filters apply', async () => {
  const owner = await harness.createMemberClient({ name: 'Pat', roles: { pages: 'owner' } })
  const issue = (name: string) =>
    owner.send('POST', '/admin/v1/accounts/pages/tokens', { body: { name, role: 'viewer' } })
  for (let index = 0; index < 5; index++) await issue(`token ${index}`)
  const first = await trail(owner, 'pages', '?limit=2')
  await issue('added meanwhile')
  const second = await trail(owner, 'pages', `?limit=2&after=${first.entries[1]?.entry}`)
  const third = await trail(owner, 'pages', `?limit=2&after=${second.entries[1]?.entry}`)
  const names = [first, second, third].flatMap(({ entries }) =>
    entries.map((entry) => getText({ body: entry }, 'after', 'name')),
  )
  expect(names).toEqual(['token 4', 'token 3', 'token 2', 'token 1', 'token 0'])
  expect([first.more, second.more, third.more]).toEqual([true, true, false])

  harness.clock.pass(100)
  await owner.send('POST', '/admin/v1/accounts/pages/invitations', { body: { name: 'Ida', role: 'viewer' } })
  const listActions = async (query: string) => (await trail(owner, 'pages', query)).entries.map(({ action }) => action)
  const moment = readClock()
  expect(await listActions('?action=inviteMember')).toEqual(['inviteMember'])
  expect(await listActions(`?since=${moment}`)).toEqual(['inviteMember'])
  expect(await listActions(`?until=${moment}`)).toHaveLength(6)
  expect(await listActions('?actor=Unknown')).toEqual([])
  expect(await listActions('?site_id=shop')).toEqual([])
  expect(getFault(await owner.send('GET', '/admin/v1/accounts/pages/audit?after=x'))).toBe('invalid_request')
})
