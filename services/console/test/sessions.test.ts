import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AdminClient, getFault, type Harness, startConsole } from './harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startConsole()
})
afterAll(() => harness[Symbol.asyncDispose]())

const me = async ({ send }: AdminClient) => (await send('GET', '/admin/v1/me')).status

test('a session ends after half an hour without use', async () => {
  const used = await harness.createMemberClient()
  const unused = await harness.createMemberClient()
  harness.clock.pass(1_700)
  expect(await me(used)).toBe(200)
  harness.clock.pass(99)
  expect(await me(unused)).toBe(200)
  harness.clock.pass(1_700)
  expect(await me(used)).toBe(200)
  harness.clock.pass(101)
  expect(await me(unused)).toBe(401)
})

test('a session ends after twelve hours, even if it is used', async () => {
  const member = await harness.createMemberClient()
  for (let hours = 0; hours < 12; hours += 0.25) {
    expect(await me(member)).toBe(200)
    harness.clock.pass(900)
  }
  expect(await me(member)).toBe(401)
})

test('members list and end their own sessions only, and an ended session is rejected immediately', async () => {
  const member = await harness.createMemberClient()
  const other = await harness.createMemberClient()
  const elsewhere = harness.anonymous
  const { sessions } = await sessionsOf(member)
  expect(sessions).toEqual([
    {
      session_id: expect.any(String),
      current: true,
      started_at: expect.stringMatching(/^20\d\d-.*Z$/),
      last_seen_at: expect.any(String),
      browser: 'test',
    },
  ])
  const [session] = sessions
  expect(getFault(await other.send('DELETE', `/admin/v1/me/sessions/${session?.session_id}`))).toBe('not_found')
  expect(getFault(await other.send('DELETE', '/admin/v1/me/sessions/none'))).toBe('not_found')
  expect(await me(member)).toBe(200)
  expect((await member.send('DELETE', `/admin/v1/me/sessions/${session?.session_id}`)).status).toBe(200)
  expect(await me(member)).toBe(401)
  expect((await elsewhere.send('GET', '/admin/v1/me', { headers: { cookie: member.cookie } })).status).toBe(401)
})

async function sessionsOf({ send: sendRequest }: AdminClient): Promise<{ sessions: { session_id: string }[] }> {
  const { body } = await sendRequest('GET', '/admin/v1/me')
  return { sessions: Reflect.get(Object(body), 'sessions') }
}

test('signing out ends the session and clears the cookie', async () => {
  const member = await harness.createMemberClient()
  const { status, headers } = await member.send('POST', '/sign-out', { body: {} })
  expect(status).toBe(200)
  expect(headers.get('set-cookie')).toMatch(/^console=; Max-Age=0; Path=\/; HttpOnly; SameSite=Strict$/)
  expect(await me(member)).toBe(401)
})

test('with TLS, the cookie has the __Host- prefix', async () => {
  await using secured = await startConsole({
    environment: { CONSOLE_URL: 'https://console.example.com' },
  })
  const { headers } = await secured.anonymous.send('POST', '/sign-out', {
    body: {},
    headers: { 'x-console': '1', origin: 'https://console.example.com' },
  })
  expect(headers.get('set-cookie')).toBe('__Host-console=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Strict')
  expect(headers.get('strict-transport-security')).toMatch(/^max-age=31536000/)
})
