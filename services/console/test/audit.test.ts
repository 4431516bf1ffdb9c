import { afterAll, beforeAll, expect, test } from 'vitest'
import { openForTest } from '#testing'
import { type Caller, faultOf, type Harness, readText, startConsole } from './harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startConsole()
})
afterAll(() => harness[Symbol.asyncDispose]())

interface Entry {
  readonly entry: string
  readonly act: string
}

async function trail({ ask }: Caller, account: string, query = ''): Promise<{ entries: Entry[]; more: boolean }> {
  const { body } = await ask('GET', `/admin/v1/accounts/${account}/audit${query}`)
  return { entries: Reflect.get(Object(body), 'entries'), more: Reflect.get(Object(body), 'more') }
}

test('every change is there: who, from where, by which request, before and after', async () => {
  const owner = await harness.signedIn({ name: 'Olga', roles: { told: 'owner' } })
  const member = await harness.signedIn({ name: 'Victor', roles: { told: 'viewer' } })
  const changed = await owner.ask('PUT', `/admin/v1/accounts/told/members/${member.member_id}`, {
    body: { role: 'editor' },
  })
  const issued = await owner.ask('POST', '/admin/v1/accounts/told/tokens', { body: { name: 'CI', role: 'viewer' } })
  expect((await trail(owner, 'told')).entries).toEqual([
    expect.objectContaining({ act: 'issueToken', before: null, after: expect.objectContaining({ name: 'CI' }) }),
    {
      entry: expect.any(String),
      at: expect.stringMatching(/^2030-01-01T00:00:\d\dZ$/),
      act: 'changeMember',
      account: 'told',
      site_id: null,
      actor: 'Olga',
      address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
      request_id: changed.headers.get('x-request-id'),
      before: { member_id: member.member_id, role: 'viewer' },
      after: { member_id: member.member_id, role: 'editor' },
    },
  ])
  const by_token = await harness.tokenOf('told', 'owner')
  await by_token.ask('DELETE', `/admin/v1/accounts/told/tokens/${readText(issued, 'token_id')}`)
  expect((await trail(owner, 'told')).entries[0]).toMatchObject({ act: 'revokeToken', actor: 'owner of told' })
})

test('a refused change is not there', async () => {
  const owner = await harness.signedIn({ roles: { refused: 'owner' } })
  await owner.ask('DELETE', `/admin/v1/accounts/refused/members/${owner.member_id}`)
  await owner.ask('POST', '/admin/v1/accounts/refused/tokens', { body: { name: '', role: 'viewer' } })
  expect(await trail(owner, 'refused')).toEqual({ entries: [], more: false })
})

test('no secret is in it: neither tokens nor links', async () => {
  const owner = await harness.signedIn({ roles: { secret: 'owner' } })
  const issued = await owner.ask('POST', '/admin/v1/accounts/secret/tokens', { body: { name: 'CI', role: 'viewer' } })
  const invited = await owner.ask('POST', '/admin/v1/accounts/secret/invitations', {
    body: { name: 'Ida', role: 'viewer' },
  })
  const secrets = [readText(issued, 'token'), readText(invited, 'link')?.split('#')[1], owner.cookie.split('=')[1]]
  const { entries } = await trail(owner, 'secret')
  expect(entries).toHaveLength(2)
  const rows = JSON.stringify([entries, await harness.knex('audit_entries')])
  for (const secret of secrets) {
    expect(secret).toMatch(/\w{20}/)
    expect(rows).not.toContain(secret)
  }
})

test('entries cannot be changed or removed, not by the service’s own role either', async () => {
  const owner = await harness.signedIn({ roles: { kept: 'owner' } })
  await owner.ask('POST', '/admin/v1/accounts/kept/tokens', { body: { name: 'CI', role: 'viewer' } })
  await using own_role = openForTest(harness.database_url)
  const { knex } = own_role
  const attempts = [
    () => knex('audit_entries').update({ actor: 'somebody else' }),
    () => knex('audit_entries').delete(),
    () => knex('audit_entries').truncate(),
    () =>
      knex.transaction(async (trx) => {
        await trx.raw('grant update on audit_entries to current_user')
        await trx('audit_entries').update({ actor: 'somebody else' })
      }),
  ]
  for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: '42501' })
  expect((await trail(owner, 'kept')).entries).toHaveLength(1)
})

test('pages follow one another without a gap or a repeat, while entries are added; filters narrow them', async () => {
  const owner = await harness.signedIn({ name: 'Pat', roles: { pages: 'owner' } })
  const issue = (name: string) =>
    owner.ask('POST', '/admin/v1/accounts/pages/tokens', { body: { name, role: 'viewer' } })
  for (let index = 0; index < 5; index++) await issue(`token ${index}`)
  const first = await trail(owner, 'pages', '?limit=2')
  await issue('added meanwhile')
  const second = await trail(owner, 'pages', `?limit=2&after=${first.entries[1]?.entry}`)
  const third = await trail(owner, 'pages', `?limit=2&after=${second.entries[1]?.entry}`)
  const names = [first, second, third].flatMap(({ entries }) =>
    entries.map((entry) => readText({ body: entry }, 'after', 'name')),
  )
  expect(names).toEqual(['token 4', 'token 3', 'token 2', 'token 1', 'token 0'])
  expect([first.more, second.more, third.more]).toEqual([true, true, false])

  harness.clock.pass(100)
  await owner.ask('POST', '/admin/v1/accounts/pages/invitations', { body: { name: 'Ida', role: 'viewer' } })
  const acts = async (query: string) => (await trail(owner, 'pages', query)).entries.map(({ act }) => act)
  const moment = `${harness.clock.now.toISOString().slice(0, 19)}Z`
  expect(await acts('?act=inviteMember')).toEqual(['inviteMember'])
  expect(await acts(`?since=${moment}`)).toEqual(['inviteMember'])
  expect(await acts(`?until=${moment}`)).toHaveLength(6)
  expect(await acts('?actor=Nobody')).toEqual([])
  expect(await acts('?site_id=shop')).toEqual([])
  expect(faultOf(await owner.ask('GET', '/admin/v1/accounts/pages/audit?after=x'))).toBe('invalid_request')
})
