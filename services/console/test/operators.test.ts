import { afterAll, beforeAll, expect, test } from 'vitest'
import { getFault, getText, type Harness, startConsole } from './harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startConsole()
})
afterAll(() => harness[Symbol.asyncDispose]())

test('operators list operators and invitations, and withdraw an invitation', async () => {
  const operator = await harness.createMemberClient({ name: 'Ada', operator: true })
  const invited = await operator.send('POST', '/admin/v1/operators/invitations', { body: { name: 'Bob' } })
  expect(getText(invited, 'link')).toMatch(/\/sign-in#[\w-]{43}$/)
  expect(await operator.send('GET', '/admin/v1/operators')).toMatchObject({
    body: {
      operators: expect.arrayContaining([expect.objectContaining({ name: 'Ada', operator: true })]),
      invitations: expect.arrayContaining([expect.objectContaining({ name: 'Bob' })]),
    },
  })
  const path = `/admin/v1/operators/invitations/${getText(invited, 'invitation_id')}`
  expect((await operator.send('DELETE', path)).status).toBe(200)
  expect(await operator.send('GET', '/admin/v1/operators')).toMatchObject({
    body: { invitations: expect.not.arrayContaining([expect.objectContaining({ name: 'Bob' })]) },
  })
})

test('a removed operator loses access immediately; the last operator cannot be removed, even concurrently', async () => {
  const first = await harness.createMemberClient({ name: 'First', operator: true })
  const second = await harness.createMemberClient({ name: 'Second', operator: true, roles: { shop: 'viewer' } })
  const path = (memberId: string) => `/admin/v1/operators/${memberId}`
  expect((await first.send('DELETE', path(second.member_id))).status).toBe(200)
  expect((await second.send('GET', '/admin/v1/me')).status).toBe(401)
  const remaining = await harness.knex('members').where({ operator: true })
  for (const { member_id } of remaining) {
    if (member_id !== first.member_id) await first.send('DELETE', path(member_id))
  }
  expect(getFault(await first.send('DELETE', path(first.member_id)))).toBe('conflict')
  const third = await harness.createMemberClient({ name: 'Third', operator: true })
  await Promise.all([first.send('DELETE', path(third.member_id)), third.send('DELETE', path(first.member_id))])
  expect(await harness.knex('members').where({ operator: true })).toHaveLength(1)
  // Still has a role in an account, so the member stays.
  expect(await harness.knex('members').where({ name: 'Second' })).toMatchObject([{ operator: false }])
})

test('a removed operator’s tokens are revoked, except those that their roles in accounts still allow', async () => {
  const staying = await harness.createMemberClient({ operator: true })
  const removed = await harness.createMemberClient({ operator: true, roles: { own: 'owner', seen: 'viewer' } })
  const issue = async (path: string, body: object) =>
    getText(
      await removed.send('POST', `/admin/v1${path}`, { body: { name: 'CI', expires_in_days: 1, ...body } }),
      'token',
    )
  // Accounts only in the console’s database, because identity is not called for tokens of their members.
  const tokens = [
    await issue('/operators/tokens', {}),
    await issue('/accounts/own/tokens', { role: 'owner' }),
    await issue('/accounts/seen/tokens', { role: 'editor' }),
    await issue('/accounts/seen/tokens', { role: 'viewer' }),
  ]
  const statuses = () =>
    Promise.all(
      tokens.map(async (token) => {
        const headers = { authorization: `Bearer ${token}` }
        return (await harness.anonymous.send('GET', '/admin/v1/me', { headers })).status
      }),
    )
  expect(await statuses()).toEqual([200, 200, 200, 200])
  expect((await staying.send('DELETE', `/admin/v1/operators/${removed.member_id}`)).status).toBe(200)
  expect(await statuses()).toEqual([401, 200, 401, 200])
})

test('an operator token has full access to every account until it is revoked', async () => {
  const operator = await harness.createMemberClient({ name: 'Tess', operator: true })
  const issued = await operator.send('POST', '/admin/v1/operators/tokens', { body: { name: 'deploy' } })
  const headers = { authorization: `Bearer ${getText(issued, 'token')}` }
  const send = (method: string, path: string, body?: unknown) => harness.anonymous.send(method, path, { headers, body })
  expect(await send('GET', '/admin/v1/me')).toMatchObject({ body: { by: 'token', member: { operator: true } } })
  expect((await send('POST', '/admin/v1/operators/invitations', { name: 'Eve' })).status).toBe(200)
  expect(await send('GET', '/admin/v1/audit?limit=2')).toMatchObject({
    body: {
      entries: [
        {
          action: 'inviteOperator',
          account: null,
          actor: 'deploy',
          member_id: null,
          token_id: getText(issued, 'token_id'),
        },
        { action: 'issueOperatorToken', account: null, actor: 'Tess', member_id: operator.member_id, token_id: null },
      ],
    },
  })
  const listed = await operator.send('GET', '/admin/v1/operators/tokens')
  expect(listed).toMatchObject({ body: { tokens: [{ name: 'deploy', last_used_at: expect.any(String) }] } })
  const path = `/admin/v1/operators/tokens/${getText(issued, 'token_id')}`
  expect((await operator.send('DELETE', path)).status).toBe(200)
  expect((await send('GET', '/admin/v1/me')).status).toBe(401)
})
