import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, faultOf, type Harness, startConsole } from './harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startConsole()
})
afterAll(() => harness[Symbol.asyncDispose]())

const me = async ({ ask }: Caller) => (await ask('GET', '/admin/v1/me')).status

test('a session ends when it was not used for half an hour, and lives on as long as it is used', async () => {
  const used = await harness.signedIn()
  const unused = await harness.signedIn()
  harness.clock.pass(1_700)
  expect(await me(used)).toBe(200)
  harness.clock.pass(99)
  expect(await me(unused)).toBe(200)
  harness.clock.pass(1_700)
  expect(await me(used)).toBe(200)
  harness.clock.pass(101)
  expect(await me(unused)).toBe(401)
})

test('a session ends after twelve hours, however much it is used', async () => {
  const member = await harness.signedIn()
  for (let hours = 0; hours < 12; hours += 0.25) {
    expect(await me(member)).toBe(200)
    harness.clock.pass(900)
  }
  expect(await me(member)).toBe(401)
})

test('a member sees the own sessions, ends one, which is refused at once, and none of somebody else', async () => {
  const member = await harness.signedIn()
  const other = await harness.signedIn()
  const elsewhere = harness.nobody
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
  expect(faultOf(await other.ask('DELETE', `/admin/v1/me/sessions/${session?.session_id}`))).toBe('not_found')
  expect(faultOf(await other.ask('DELETE', '/admin/v1/me/sessions/none'))).toBe('not_found')
  expect(await me(member)).toBe(200)
  expect((await member.ask('DELETE', `/admin/v1/me/sessions/${session?.session_id}`)).status).toBe(200)
  expect(await me(member)).toBe(401)
  expect((await elsewhere.ask('GET', '/admin/v1/me', { headers: { cookie: member.cookie } })).status).toBe(401)
})

async function sessionsOf({ ask }: Caller): Promise<{ sessions: { session_id: string }[] }> {
  const { body } = await ask('GET', '/admin/v1/me')
  return { sessions: Reflect.get(Object(body), 'sessions') }
}

test('signing out ends the session and takes the cookie away', async () => {
  const member = await harness.signedIn()
  const { status, headers } = await member.ask('POST', '/sign-out', { body: {} })
  expect(status).toBe(200)
  expect(headers.get('set-cookie')).toMatch(/^console=; Max-Age=0; Path=\/; HttpOnly; SameSite=Strict$/)
  expect(await me(member)).toBe(401)
})

test('behind TLS the cookie is one that only the console itself can set', async () => {
  await using secured = await startConsole({
    environment: { CONSOLE_URL: 'https://console.example.com' },
  })
  const { headers } = await secured.nobody.ask('POST', '/sign-out', {
    body: {},
    headers: { 'x-console': '1', origin: 'https://console.example.com' },
  })
  expect(headers.get('set-cookie')).toBe('__Host-console=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Strict')
  expect(headers.get('strict-transport-security')).toMatch(/^max-age=31536000/)
})
