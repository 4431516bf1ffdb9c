import { type CryptoKey, generateKeyPair, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EventSender, startEventSender } from './event-sender.ts'
import { type Logins, startLogins } from './logins.ts'
import { createWebhookUser, readState, untouched, type WebhookAccount } from './webhook-users.ts'

const app = { client_id: 'search.example.com', client_secret: 'app-secret' }

let stack: AsyncDisposableStack
let logins: Logins
let sender: EventSender
/** The webhook URI at a replica that knows the sender. */
let uri: string
beforeAll(async () => {
  stack = new AsyncDisposableStack()
  sender = stack.use(await startEventSender(app.client_id))
  logins = stack.use(await startLogins())
  const replica = await logins.startReplica({ PROVIDER_SIMULATOR_URL: sender.url })
  stack.defer(replica.stop)
  const { serviceStack, site } = logins
  const { webhook_uris } = await serviceStack.provider_auth.saveProviderSettings(
    { site, account: 'test', site_id: 'shop', provider: 'search', ...app },
    serviceStack.call(),
  )
  const url = new URL(webhook_uris.events ?? '')
  url.port = String(replica.exposed.port)
  uri = url.href
})
afterAll(() => stack.disposeAsync())

const call = () => logins.serviceStack.call()
const risc = 'https://schemas.openid.net/secevent/risc/event-type/'
const iss = () => `${sender.url}/search/`
const eventsOf = ({ provider_user_id: sub }: WebhookAccount, type = `${risc}sessions-revoked`, subject = {}) => ({
  [type]: { subject: { subject_type: 'iss-sub', iss: iss(), sub, ...subject } },
})
const sign = (events: object | undefined, claims = {}, key?: CryptoKey) =>
  sender.sign({}, { iss: iss(), exp: undefined, events, ...claims }, key)
const sendToken = (body: string) =>
  fetch(uri, { method: 'POST', headers: { 'content-type': 'application/secevent+jwt' }, body })
const endOfSessions = async ({ identifier }: { identifier: string }) => {
  const { identity } = logins.serviceStack
  return (await identity.resolveUser({ site: logins.site, identifier }, call())).user.sessions_ended_at
}

test('an event may arrive twice, for an unknown user, and be of an unknown kind', async () => {
  const user = await createWebhookUser(logins, 'search')
  const token = await sign(eventsOf(user))
  expect([(await sendToken(token)).status, (await sendToken(token)).status]).toEqual([202, 202])
  expect(await endOfSessions(user)).toBeDefined()
  expect(await readState(logins, user)).toEqual(untouched)
  expect((await sendToken(await sign(eventsOf({ provider_user_id: 'unknown' })))).status).toBe(202)
  const other = await createWebhookUser(logins, 'search')
  const verification = { [`${risc}verification`]: { state: 'a test' } }
  for (const events of [eventsOf(other, `${risc}account-credential-change-required`), verification]) {
    const response = await sendToken(await sign(events))
    expect([response.status, await response.text()]).toEqual([202, ''])
  }
  expect(await endOfSessions(other)).toBeUndefined()
})

test('account-purged unlinks the account, and an event before the last login does nothing', async () => {
  const user = await createWebhookUser(logins, 'search')
  expect((await sendToken(await sign(eventsOf(user, `${risc}account-purged`)))).status).toBe(202)
  expect(await readState(logins, user)).toMatchObject({ linked: false, credential: false })
  const active = await createWebhookUser(logins, 'search', { recorded_at: new Date() })
  const earlier = Math.floor(Date.now() / 1_000) - 60
  expect((await sendToken(await sign(eventsOf(active), { iat: earlier }))).status).toBe(202)
  expect(await endOfSessions(active)).toBeUndefined()
})

const now = () => Math.floor(Date.now() / 1_000)
test.each<[string, (events: object, account: WebhookAccount) => Promise<string>]>([
  ['signed with another key', async (events) => sign(events, {}, (await generateKeyPair('RS256')).privateKey)],
  ['not signed', async (events) => new UnsecuredJWT({ iss: iss(), aud: app.client_id, events }).encode()],
  ['of another issuer', (events) => sign(events, { iss: 'https://accounts.google.com/' })],
  ['for another app', (events) => sign(events, { aud: 'another' })],
  ['two days old', (events) => sign(events, { iat: now() - 2 * 86_400 })],
  ['without an ID', (events) => sign(events, { jti: undefined })],
  ['an ID Token', (_, { provider_user_id: sub }) => sign(undefined, { sub, exp: now() + 600 })],
  ['about a user of another issuer', (_, account) => sign(eventsOf(account, undefined, { iss: 'https://other/' }))],
  ['without a user', (_, account) => sign(eventsOf(account, undefined, { sub: undefined }))],
  ['no JWT', async () => 'a.b.c'],
  ['too long', async () => 'x'.repeat(20_000)],
])('an event %s is rejected as RFC 8935 says, and changes nothing', async (_, forge) => {
  const user = await createWebhookUser(logins, 'search')
  const response = await sendToken(await forge(eventsOf(user), user))
  expect(response.status).toBe(400)
  expect(await response.json()).toEqual({ err: 'invalid_request', description: 'The webhook cannot be verified.' })
  expect(await endOfSessions(user)).toBeUndefined()
})
