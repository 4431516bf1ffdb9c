import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Managed, openManaged } from '../../test/managed.ts'
import { waitForReports } from '../../test/usage-fixture.ts'
import { socialLogin } from './harness.ts'

let managed: Managed
beforeAll(async () => {
  managed = await openManaged()
})
afterAll(() => managed[Symbol.asyncDispose]())

/** Each test has a site of its own. */
let account: string
let clientId: string
let environment: Record<string, string>
beforeEach(async () => {
  const shop = await managed.openShop('viewer')
  ;({ account } = shop)
  const { provider_auth, call } = managed.serviceStack
  const client = { site: shop.site, name: 'shop', kind: 'public', redirect_uris: ['https://shop.example/'] } as const
  ;({ client_id: clientId } = await provider_auth.registerClient(
    { ...client, redirect_uris: [...client.redirect_uris] },
    call(),
  ))
  environment = { SOCIAL_LOGIN_URL: managed.serviceStack.console.url, SOCIAL_LOGIN_TOKEN: shop.token }
})

/** A request that is rejected; returns its ID, which is that of the entry in the log. */
async function requestRejectedLogin(scope = 'openid', redirectUri = 'https://shop.example/wrong'): Promise<string> {
  const query = new URLSearchParams({ client_id: clientId, redirect_uri: redirectUri, scope, response_type: 'code' })
  const response = await fetch(`${managed.serviceStack.auth}/oauth2/authorize?${query}`, { redirect: 'manual' })
  return response.headers.get('x-request-id') ?? ''
}

const run = (...words: string[]) => socialLogin([...words, '--account', account, '--site-id', 'shop'], { environment })
const listIds = () => run('logins', 'list', '--columns', 'login_id')
const readLines = (out: string) => out.trim().split('\n')

test('logins list, groups and show: a rejected login is found with its cause', async () => {
  const loginId = await requestRejectedLogin()
  await waitForReports(async () => expect((await listIds()).out).toContain(loginId))
  const groups = await run('logins', 'groups', '--result', 'rejected')
  expect([groups.code, groups.out]).toEqual([0, expect.stringMatching(/1 +rejected +redirect_uri_invalid/)])
  const shown = await run('logins', 'show', '--login-id', loginId)
  expect([shown.code, shown.out]).toEqual([0, expect.stringContaining('is not registered for the client')])
  expect(shown.out).toMatch(/steps\n +step +at +after_ms +duration_ms\n +started /)
})

test('logins tail prints each login once, those before it with --from-start, and ends after --limit', async () => {
  const first = await requestRejectedLogin('profile', 'https://shop.example/')
  const second = await requestRejectedLogin('profile', 'https://shop.example/')
  const tailing = run('logins', 'tail', '--from-start', '--reason', 'sent_to_application', '--limit', '3')
  await waitForReports(async () => expect((await listIds()).out).toContain(second))
  const third = await requestRejectedLogin('profile', 'https://shop.example/')
  const { code, out } = await tailing
  expect(code).toBe(0)
  const ids = readLines(out).map((line) => line.split(/\s+/).at(-1))
  expect(ids.toSorted()).toEqual([first, second, third].toSorted())
  const options = ['--from-start', '--limit', '1', '--client-id', clientId, '-o', 'json']
  expect(JSON.parse((await run('logins', 'tail', ...options)).out)).toMatchObject({ client_id: clientId })
})

test('without --from-start, logins tail prints later logins only', async () => {
  // The first one is in the log when `tail` begins.
  const earlier = await requestRejectedLogin()
  await waitForReports(async () => expect((await listIds()).out).toContain(earlier))
  const tailing = run('logins', 'tail', '--limit', '1')
  let isDone = false
  const requested: string[] = []
  const requesting = (async () => {
    while (!isDone) {
      requested.push(await requestRejectedLogin('profile', 'https://shop.example/'))
      await waitForReports(async () => expect((await listIds()).out).toContain(requested.at(-1)))
    }
  })()
  const { out } = await tailing
  isDone = true
  await requesting
  expect(requested).toContain(out.trim().split(/\s+/).at(-1))
})

test.each([
  [['logins', 'tail', '--result', 'vanished'], 2, '--result: '],
  [['logins', 'tail', '--limit', '0'], 2, '--limit: '],
  [['logins', 'show', '--login-id', randomUUID()], 4, 'no login with this ID'],
  [['logins', 'tail', '--token-file', '/no/such/file'], 2, 'cannot be read'],
])('%j ends with code %i', async (words, code, message) => {
  expect(await run(...words)).toMatchObject({ code, err: expect.stringContaining(message) })
})
