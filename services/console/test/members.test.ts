import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getFault, getText, type Harness, startConsole } from './harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startConsole()
})
afterAll(() => harness[Symbol.asyncDispose]())

describe('an owner', () => {
  test('lists the members with their roles in the account only, and the invitations', async () => {
    const owner = await harness.createMemberClient({ name: 'Olga', roles: { seen: 'owner', hidden: 'viewer' } })
    await harness.createMemberClient({ name: 'Victor', roles: { seen: 'viewer' } })
    await harness.createMemberClient({ name: 'Hidden', roles: { hidden: 'viewer' } })
    const invited = await owner.send('POST', '/admin/v1/accounts/seen/invitations', {
      body: { name: 'Ida', role: 'editor' },
    })
    expect(invited).toMatchObject({
      status: 200,
      body: { link: expect.stringMatching(new RegExp(`^${harness.url}/sign-in#[\\w-]{43}$`)) },
    })
    const { body } = await owner.send('GET', '/admin/v1/accounts/seen/members')
    expect(body).toMatchObject({
      members: [
        { name: 'Olga', roles: [{ account: 'seen', role: 'owner' }], operator: false, passkeys: 0 },
        { name: 'Victor', roles: [{ account: 'seen', role: 'viewer' }] },
      ],
      invitations: [{ name: 'Ida', role: 'editor' }],
    })
  })

  test('withdraws an invitation, whose link is then rejected', async () => {
    const owner = await harness.createMemberClient({ roles: { withdrawn: 'owner' } })
    const invited = await owner.send('POST', '/admin/v1/accounts/withdrawn/invitations', {
      body: { name: 'Ida', role: 'editor' },
    })
    const [, token] = getText(invited, 'link')?.split('#') ?? []
    const listMembers = () =>
      harness.anonymous.send('POST', '/sign-in/link', {
        body: { token },
        headers: { 'x-console': '1', origin: harness.url },
      })
    expect((await listMembers()).status).toBe(200)
    const path = `/admin/v1/accounts/withdrawn/invitations/${getText(invited, 'invitation_id')}`
    expect((await owner.send('DELETE', path)).status).toBe(200)
    expect(getFault(await listMembers())).toBe('not_found')
    expect(getFault(await owner.send('DELETE', path))).toBe('not_found')
  })

  test('changes a role, which takes effect with the next request', async () => {
    const owner = await harness.createMemberClient({ roles: { roles: 'owner' } })
    const member = await harness.createMemberClient({ roles: { roles: 'viewer' } })
    const tokens = () => member.send('GET', '/admin/v1/accounts/roles/tokens')
    const give = (role: string) =>
      owner.send('PUT', `/admin/v1/accounts/roles/members/${member.member_id}`, { body: { role } })
    expect((await tokens()).status).toBe(403)
    expect((await give('owner')).status).toBe(200)
    expect((await tokens()).status).toBe(200)
    expect((await give('editor')).status).toBe(200)
    expect((await tokens()).status).toBe(403)
  })

  test('cannot leave an account without an owner, by role change, removal, or concurrent removals', async () => {
    const owner = await harness.createMemberClient({ roles: { last: 'owner' } })
    const path = (memberId: string) => `/admin/v1/accounts/last/members/${memberId}`
    expect(getFault(await owner.send('DELETE', path(owner.member_id)))).toBe('conflict')
    expect(getFault(await owner.send('PUT', path(owner.member_id), { body: { role: 'editor' } }))).toBe('conflict')
    expect((await owner.send('PUT', path(owner.member_id), { body: { role: 'owner' } })).status).toBe(200)
    const second = await harness.createMemberClient({ roles: { last: 'owner' } })
    const both = await Promise.all([
      owner.send('DELETE', path(second.member_id)),
      second.send('DELETE', path(owner.member_id)),
    ])
    const remaining = await harness.knex('member_roles').where({ account: 'last', role: 'owner' })
    expect(remaining).toHaveLength(1)
    expect(both.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1)
  })

  test('removes a member, whose sessions end immediately', async () => {
    const owner = await harness.createMemberClient({ roles: { removing: 'owner' } })
    const ofTwo = await harness.createMemberClient({ roles: { removing: 'editor', staying: 'viewer' } })
    const ofOne = await harness.createMemberClient({ roles: { removing: 'editor' } })
    for (const { member_id, send } of [ofTwo, ofOne]) {
      expect((await owner.send('DELETE', `/admin/v1/accounts/removing/members/${member_id}`)).status).toBe(200)
      expect((await send('GET', '/admin/v1/me')).status).toBe(401)
    }
    const remaining = await harness.knex('members').whereIn('member_id', [ofTwo.member_id, ofOne.member_id])
    expect(remaining).toMatchObject([{ member_id: ofTwo.member_id }])
    const again = await owner.send('DELETE', `/admin/v1/accounts/removing/members/${ofOne.member_id}`)
    expect(getFault(again)).toBe('not_found')
  })
})

describe('a token', () => {
  test('is returned once, works until it expires, and has a name and a role', async () => {
    const owner = await harness.createMemberClient({ roles: { automated: 'owner' } })
    const issued = await owner.send('POST', '/admin/v1/accounts/automated/tokens', {
      body: { name: 'CI', role: 'owner', expires_in_days: 2 },
    })
    const token = getText(issued, 'token') ?? ''
    expect(token).toMatch(/^slt_[\w-]{43}$/)
    const send = (path: string) =>
      harness.anonymous.send('GET', path, { headers: { authorization: `Bearer ${token}` } })
    expect(await send('/admin/v1/me')).toMatchObject({
      body: { by: 'token', member: { name: 'CI', operator: false, roles: [{ account: 'automated', role: 'owner' }] } },
    })
    const listed = await send('/admin/v1/accounts/automated/tokens')
    expect(listed).toMatchObject({
      body: { tokens: [{ name: 'CI', role: 'owner', last_used_at: expect.any(String) }] },
    })
    expect(JSON.stringify(listed.body)).not.toContain(token.slice(4))
    expect(await harness.knex('tokens').where({ token_hash: token })).toEqual([])
    expect((await send('/admin/v1/accounts/other/tokens')).status).toBe(404)
    harness.clock.pass(2 * 86_400)
    expect((await send('/admin/v1/me')).status).toBe(401)
  })

  test('is rejected immediately after its own account revokes it', async () => {
    const owner = await harness.createMemberClient({ roles: { revoking: 'owner', another: 'owner' } })
    const { token, send: sendRequest } = await harness.createTokenClient('revoking', 'viewer')
    expect(token).toBeDefined()
    const listed = await owner.send('GET', '/admin/v1/accounts/revoking/tokens')
    const tokenId = getText(listed, 'tokens', 0, 'token_id')
    expect((await owner.send('DELETE', `/admin/v1/accounts/another/tokens/${tokenId}`)).status).toBe(404)
    expect((await sendRequest('GET', '/admin/v1/me')).status).toBe(200)
    expect((await owner.send('DELETE', `/admin/v1/accounts/revoking/tokens/${tokenId}`)).status).toBe(200)
    expect((await sendRequest('GET', '/admin/v1/me')).status).toBe(401)
  })

  test('cannot issue a token that expires later, for an account or for operators', async () => {
    for (const path of ['/admin/v1/accounts/outliving/tokens', '/admin/v1/operators/tokens']) {
      const owner = await harness.createMemberClient({ operator: true, roles: { outliving: 'owner' } })
      const role = path.includes('operators') ? {} : { role: 'owner' }
      const issued = await owner.send('POST', path, { body: { name: 'CI', ...role, expires_in_days: 10 } })
      const headers = { authorization: `Bearer ${getText(issued, 'token')}` }
      const issue = (expiresInDays?: number) =>
        harness.anonymous.send('POST', path, {
          body: { name: 'Next', ...role, expires_in_days: expiresInDays },
          headers,
        })
      harness.clock.pass(3_600)
      const message = `The new token would expire after the token that issues it, which expires at ${getText(issued, 'expires_at')}. Choose a shorter lifetime.`
      for (const expiresInDays of [10, 366, undefined])
        expect(await issue(expiresInDays)).toMatchObject({
          status: 400,
          body: { error: { field: 'expires_in_days', reason: 'expires_after_issuing_token', message } },
        })
      expect(await issue(9)).toMatchObject({ status: 200 })
    }
  })

  test('is revoked with its member, together with the tokens it issued', async () => {
    const path = '/admin/v1/accounts/leaving/tokens'
    const owner = await harness.createMemberClient({ name: 'Olga', roles: { leaving: 'owner' } })
    const removedMember = await harness.createMemberClient({
      name: 'Lena',
      roles: { leaving: 'owner', staying: 'owner' },
    })
    const tokenBy = async (sendRequest: typeof owner.send, at = path, role = 'owner', headers = {}) => {
      const issued = await sendRequest('POST', at, { body: { name: 'CI', role, expires_in_days: 1 }, headers })
      expect(issued.status, JSON.stringify(issued.body)).toBe(200)
      return { authorization: `Bearer ${getText(issued, 'token')}` }
    }
    const statuses = (all: Record<string, string>[]) =>
      Promise.all(all.map(async (headers) => (await harness.anonymous.send('GET', '/admin/v1/me', { headers })).status))
    const ofOwner = await tokenBy(owner.send)
    const ofLeaving = await tokenBy(removedMember.send)
    harness.clock.pass(1)
    const elsewhere = await tokenBy(removedMember.send, '/admin/v1/accounts/staying/tokens')
    const { send: ask } = harness.anonymous
    const long = await removedMember.send('POST', path, { body: { name: 'Long', role: 'owner', expires_in_days: 30 } })
    const byToken = await tokenBy(ask, path, 'viewer', { authorization: `Bearer ${getText(long, 'token')}` })
    expect(await statuses([ofOwner, ofLeaving, elsewhere, byToken])).toEqual([200, 200, 200, 200])
    const member = `/admin/v1/accounts/leaving/members/${removedMember.member_id}`
    expect((await owner.send('PUT', member, { body: { role: 'editor' } })).status).toBe(200)
    expect(await statuses([ofOwner, ofLeaving, elsewhere, byToken])).toEqual([200, 401, 200, 200])
    expect((await owner.send('DELETE', member)).status).toBe(200)
    expect(await statuses([ofOwner, ofLeaving, elsewhere, byToken])).toEqual([200, 401, 200, 401])
    const trail = await owner.send('GET', '/admin/v1/accounts/leaving/audit?action=removeMember')
    expect(trail).toMatchObject({ body: { entries: [{ before: { name: 'Lena', revoked_tokens: [{ name: 'CI' }] } }] } })
  })

  test('is not issued while its member is being removed', async () => {
    const owner = await harness.createMemberClient({ roles: { racing: 'owner' } })
    for (let n = 0; n < 10; n++) {
      const removedMember = await harness.createMemberClient({ roles: { racing: 'owner' } })
      const issue = () =>
        removedMember.send('POST', '/admin/v1/accounts/racing/tokens', { body: { name: `raced ${n}`, role: 'owner' } })
      await Promise.all([
        issue(),
        owner.send('DELETE', `/admin/v1/accounts/racing/members/${removedMember.member_id}`),
        issue(),
      ])
      expect(await harness.knex('tokens').where({ account: 'racing' })).toEqual([])
    }
  })

  test.each(['Bearer', 'Bearer slt_', `Bearer slt_${'x'.repeat(43)}`, 'Basic c2x0Xw==', `Bearer ${'x'.repeat(9_000)}`])(
    'that is invalid, such as "%.30s", is rejected with 401 and the scheme, even with a session',
    async (authorization) => {
      const { cookie } = await harness.createMemberClient()
      const response = await harness.anonymous.send('GET', '/admin/v1/me', { headers: { authorization, cookie } })
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    },
  )
})

test('invalid tokens from one address get 429; other addresses and valid tokens do not', async () => {
  await using behindProxy = await startConsole({ environment: { TRUSTED_PROXY_HOPS: '1' } })
  const send = (address: string, token: string) =>
    behindProxy.anonymous.send('GET', '/admin/v1/me', {
      headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': address },
    })
  for (let attempt = 0; attempt < 120; attempt++) expect((await send('192.0.2.1', 'bad')).status).toBe(401)
  const rejected = await send('192.0.2.1', 'bad')
  expect([rejected.status, getFault(rejected)]).toEqual([429, 'too_many_requests'])
  expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await send('192.0.2.2', 'bad')).status).toBe(401)
  const { token } = await behindProxy.createTokenClient('shop', 'viewer')
  expect((await send('192.0.2.1', token)).status).toBe(200)
})
