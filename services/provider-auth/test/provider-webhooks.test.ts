import { generateKeyPairSync } from 'node:crypto'
import { generateKeyPair, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { RunningService } from '#runtime'
import { type EventSender, signRequest, startEventSender } from './event-sender.ts'
import { type Logins, startLogins } from './logins.ts'
import { expectEventData } from './user-events.ts'
import { countWebhooks } from './webhook-counts.ts'
import { createWebhookUser, readState, untouched, type WebhookAccount } from './webhook-users.ts'

const app = { client_id: 'com.example.shop', client_secret: 'app-secret' }
/** The device provider's clients have a private key instead of a secret. */
const { privateKey: key } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const team = { team_id: 'TEAM000001', key_id: 'KEY0000001', app_id: 'com.example.app' }

let stack: AsyncDisposableStack
let logins: Logins
let sender: EventSender
let replica: RunningService<{ port: number }>
/** Webhook URIs by `<provider> <topic>`. */
let addresses: Map<string, string>
beforeAll(async () => {
  stack = new AsyncDisposableStack()
  sender = stack.use(await startEventSender(app.client_id))
  logins = stack.use(await startLogins())
  replica = await logins.startReplica({ PROVIDER_SIMULATOR_URL: sender.url })
  stack.defer(replica.stop)
  const { serviceStack, site } = logins
  const saved = await Promise.all(
    (['messaging', 'device', 'social', 'microblog', 'search'] as const).map(async (provider) => {
      const own = { site, account: 'test', site_id: 'shop', provider, ...app, enabled: false }
      const settings = provider === 'device' ? { ...own, client_secret: key, options: team } : own
      const { webhook_uris } = await serviceStack.provider_auth.saveProviderSettings(settings, serviceStack.call())
      return Object.entries(webhook_uris).map(([topic, uri]): [string, string] => [`${provider} ${topic}`, uri])
    }),
  )
  addresses = new Map(saved.flat())
})
afterAll(() => stack.disposeAsync())

const call = () => logins.serviceStack.call()

/** The same URL at the replica that knows the sender. */
function urlOf(topic: string): string {
  const uri = new URL(addresses.get(topic) ?? '')
  uri.port = String(replica.exposed.port)
  return uri.href
}
const send = (topic: string, form: Record<string, string>) =>
  fetch(urlOf(topic), { method: 'POST', body: new URLSearchParams(form) })

test('the settings contain the webhook URIs to enter at the provider', () => {
  expect([...addresses].map(([topic, uri]) => [topic, uri.replace(/[\w-]{22}/, 'ID')])).toEqual([
    ['messaging events', `${logins.auth}/oauth2/webhooks/messaging/ID`],
    ['device events', `${logins.auth}/oauth2/webhooks/device/ID`],
    ['social deauthorize', `${logins.auth}/oauth2/webhooks/social/ID/deauthorize`],
    ['social data_deletion', `${logins.auth}/oauth2/webhooks/social/ID/data_deletion`],
    ['search events', `${logins.auth}/oauth2/webhooks/search/ID`],
  ])
})

describe('device', () => {
  const event = ({ provider_user_id: sub }: WebhookAccount, type = 'consent-revoked', changes = {}) => ({
    type,
    sub,
    event_time: Date.now(),
    ...changes,
  })
  const sendWebhook = async (payload: string) => (await send('device events', { payload })).status

  test.each(['form', 'JSON'])('consent revoked by %s: the credential is deleted, the link stays', async (format) => {
    const [user, other] = [await createWebhookUser(logins, 'device'), await createWebhookUser(logins, 'device')]
    const payload = await sender.sign(event(user))
    const headers = { 'content-type': 'application/json' }
    const response =
      format === 'form'
        ? await send('device events', { payload })
        : await fetch(urlOf('device events'), { method: 'POST', headers, body: JSON.stringify({ payload }) })
    expect(response.status).toBe(200)
    expect(await readState(logins, user)).toEqual({ linked: true, credential: false, profile: true })
    expect(await readState(logins, other)).toEqual(untouched)
    await send('device events', { payload })
    const { serviceStack, site } = logins
    const data = [{ provider: 'device', cause: 'consent_revoked' }]
    await expectEventData(serviceStack, { site, ...user }, 'consent.revoked', data)
  })

  test.each(['account-delete', 'account-deleted'])(
    '%s: credential, link and the data it supplied are deleted; the user stays, without a provider',
    async (type) => {
      const user = await createWebhookUser(logins, 'device')
      expect(await sendWebhook(await sender.sign(event(user, type)))).toBe(200)
      expect(await readState(logins, user)).toEqual({ linked: false, credential: false, profile: false })
      const { links } = await logins.serviceStack.identity.resolveUser({ site: logins.site, ...user }, call())
      expect(links).toEqual([])
      const { serviceStack, site } = logins
      const data = [{ provider: 'device', cause: 'account_deleted' }]
      await expectEventData(serviceStack, { site, ...user }, 'consent.revoked', data)
    },
  )

  test('for a user with another provider, only the deleted account is unlinked', async () => {
    const user = await createWebhookUser(logins, 'device', { single: false })
    expect(await sendWebhook(await sender.sign(event(user, 'account-deleted')))).toBe(200)
    const { links } = await logins.serviceStack.identity.resolveUser({ site: logins.site, ...user }, call())
    expect(links.map(({ provider }) => provider)).toEqual(['portal'])
  })

  test.each(['email-disabled', 'email-enabled', 'something-new'])(
    '%s is acknowledged and changes nothing',
    async (type) => {
      const user = await createWebhookUser(logins, 'device')
      expect(await sendWebhook(await sender.sign(event(user, type)))).toBe(200)
      expect(await readState(logins, user)).toEqual(untouched)
    },
  )

  test('codes of earlier logins are invalid', async () => {
    const user = await createWebhookUser(logins, 'device')
    const client = await logins.registerClient()
    const recordedAt = new Date(Date.now() - 5_000)
    const { code } = await logins.endLogin(client.client_id, { ...user, recorded_at: recordedAt })
    expect(await sendWebhook(await sender.sign(event(user)))).toBe(200)
    expect((await logins.redeem(client, code)).status).toBe(400)
  })

  test('an event that is repeated after the end user logged in again changes nothing', async () => {
    for (const type of ['consent-revoked', 'account-deleted']) {
      const user = await createWebhookUser(logins, 'device', { recorded_at: new Date() })
      const payload = await sender.sign(event(user, type, { event_time: Date.now() - 60_000 }))
      expect([await sendWebhook(payload), await sendWebhook(payload)]).toEqual([200, 200])
      expect(await readState(logins, user)).toEqual(untouched)
    }
  })

  test('a webhook may arrive twice, and for an unknown user', async () => {
    const user = await createWebhookUser(logins, 'device')
    const payload = await sender.sign(event(user, 'account-deleted'))
    expect([await sendWebhook(payload), await sendWebhook(payload)]).toEqual([200, 200])
    expect(await sendWebhook(await sender.sign(event({ provider_user_id: 'unknown' })))).toBe(200)
  })

  test('an event can have the primary app of the group as its audience, and no expiry', async () => {
    const user = await createWebhookUser(logins, 'device')
    expect(await sendWebhook(await sender.sign(event(user), { aud: team.app_id, exp: undefined }))).toBe(200)
    expect((await readState(logins, user)).credential).toBe(false)
  })

  const now = () => Math.floor(Date.now() / 1_000)
  test.each<[string, (event: object) => Promise<string>]>([
    ['signed with another key', async (event) => sender.sign(event, {}, (await generateKeyPair('RS256')).privateKey)],
    ['not signed', async (event) => new UnsecuredJWT({ events: JSON.stringify(event) }).encode()],
    ['of another issuer', (event) => sender.sign(event, { iss: 'https://appleid.apple.com' })],
    ['for another app', (event) => sender.sign(event, { aud: 'com.example.other' })],
    ['without an audience', (event) => sender.sign(event, { aud: undefined })],
    ['ended', (event) => sender.sign(event, { exp: now() - 120 })],
    ['two days old', (event) => sender.sign(event, { iat: now() - 2 * 86_400 })],
    ['from the future', (event) => sender.sign(event, { iat: now() + 600 })],
    ['without a time', (event) => sender.sign(event, { iat: undefined })],
    ['without events', (event) => sender.sign(event, { events: undefined })],
    ['with events that are not JSON', (event) => sender.sign(event, { events: 'consent-revoked' })],
    ['without a user', (event) => sender.sign({ ...event, sub: undefined })],
    ['whose user is not text', (event) => sender.sign({ ...event, sub: 1 })],
    ['without the event’s time', (event) => sender.sign({ ...event, event_time: undefined })],
    ['no JWT', async () => 'a.b.c'],
  ])('an event %s is rejected and changes nothing', async (_, forge) => {
    const user = await createWebhookUser(logins, 'device')
    const response = await send('device events', { payload: await forge(event(user)) })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({
      error: 'invalid_request',
      error_description: 'The webhook cannot be verified.',
    })
    expect(await readState(logins, user)).toEqual(untouched)
  })

  test.each<[string, () => Promise<Response>]>([
    ['no payload', () => send('device events', { other: 'x' })],
    ['too long', () => send('device events', { payload: 'x'.repeat(20_000) })],
    [
      'JSON too long',
      () => {
        const body = JSON.stringify({ payload: 'x'.repeat(20_000) })
        return fetch(urlOf('device events'), {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        })
      },
    ],
    [
      'an address of no settings',
      async () => fetch(urlOf('device events').replace(/[\w-]{22}$/, 'none'), { method: 'POST', body: 'payload=x' }),
    ],
  ])('%s is rejected', async (_, sendRequest) => {
    expect((await sendRequest()).status).toBe(400)
  })

  test('503 while the provider’s keys cannot be loaded, so that the provider retries', async () => {
    const stranger = await startEventSender(app.client_id)
    stranger.status = 500
    const other = await logins.startReplica({ PROVIDER_SIMULATOR_URL: stranger.url })
    const user = await createWebhookUser(logins, 'device')
    const uri = new URL(urlOf('device events'))
    uri.port = String(other.exposed.port)
    const body = new URLSearchParams({ payload: await stranger.sign(event(user)) })
    const sendRequest = () => fetch(uri, { method: 'POST', body })
    const rejected = await sendRequest()
    expect(rejected.status).toBe(503)
    expect(rejected.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(await readState(logins, user)).toEqual(untouched)
    stranger.status = 200
    expect((await sendRequest()).status).toBe(200)
    expect((await readState(logins, user)).credential).toBe(false)
    await other.stop()
    await stranger[Symbol.asyncDispose]()
  })

  test('webhooks are counted by kind and outcome', async () => {
    const [revoked, deleted] = [await createWebhookUser(logins, 'device'), await createWebhookUser(logins, 'device')]
    const active = await createWebhookUser(logins, 'device', { recorded_at: new Date() })
    const events = [
      event(revoked),
      event({ provider_user_id: 'unknown' }),
      event(active, 'consent-revoked', { event_time: Date.now() - 60_000 }),
      event(deleted, 'account-deleted'),
      event(active, 'something-new'),
    ]
    const counts = await countWebhooks(replica, 'device', async () => {
      for (const payload of events) expect(await sendWebhook(await sender.sign(payload))).toBe(200)
      expect(await sendWebhook('a.b.c')).toBe(400)
    })
    expect(counts).toEqual({
      'consent_revoked applied': 1,
      'consent_revoked unknown_user': 1,
      'consent_revoked outdated': 1,
      'account_deleted applied': 1,
      'other acknowledged': 1,
      'unverified rejected': 1,
    })
  })
})

describe('social', () => {
  const now = () => Math.floor(Date.now() / 1_000)
  const toPayload = ({ provider_user_id }: WebhookAccount) => ({
    user_id: provider_user_id,
    algorithm: 'HMAC-SHA256',
    issued_at: now(),
  })
  const sendWebhook = (topic: string, payload: object, secret = app.client_secret) =>
    send(`social ${topic}`, { signed_request: signRequest(payload, secret) })
  const Deletion = z.strictObject({ url: z.string(), confirmation_code: z.string().regex(/^[A-Z0-9]{20}$/) })

  test('deauthorized: the credential is deleted, the link stays', async () => {
    const [user, other] = [await createWebhookUser(logins, 'social'), await createWebhookUser(logins, 'social')]
    expect((await sendWebhook('deauthorize', toPayload(user))).status).toBe(200)
    expect(await readState(logins, user)).toEqual({ linked: true, credential: false, profile: true })
    expect(await readState(logins, other)).toEqual(untouched)
  })

  test('data deletion: credential and stored profile are deleted; the response links to a status page', async () => {
    const user = await createWebhookUser(logins, 'social')
    const response = await sendWebhook('data_deletion', toPayload(user))
    expect(response.status).toBe(200)
    const { url, confirmation_code } = Deletion.parse(await response.json())
    expect(url).toBe(`${addresses.get('social data_deletion')}/${confirmation_code}`)
    expect(await readState(logins, user)).toEqual({ linked: true, credential: false, profile: false })

    const page = await fetch(url)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await page.text()).toMatch(new RegExp(`UTC</time>[^]*${confirmation_code}`))
    const inJapanese = await fetch(url, { headers: { 'accept-language': 'ja' } })
    expect(await inJapanese.text()).toContain('データを削除しました')
    expect((await fetch(`${url}0`)).status).toBe(404)
  })

  test('data deletion of an unknown user gets the same response; nothing is stored', async () => {
    const response = await sendWebhook('data_deletion', toPayload({ provider_user_id: 'unknown' }))
    expect(response.status).toBe(200)
    const { url } = Deletion.parse(await response.json())
    expect((await fetch(url)).status).toBe(200)
  })

  test('a request that is repeated after the end user logged in again changes nothing', async () => {
    const user = await createWebhookUser(logins, 'social', { recorded_at: new Date() })
    for (const topic of ['deauthorize', 'data_deletion'])
      expect((await sendWebhook(topic, { ...toPayload(user), issued_at: now() - 60 })).status).toBe(200)
    expect(await readState(logins, user)).toEqual(untouched)
  })

  test.each<[string, (payload: object) => string]>([
    ['signed with another secret', (payload) => signRequest(payload, 'other')],
    ['of another algorithm', (payload) => signRequest({ ...payload, algorithm: 'none' }, app.client_secret)],
    ['without an algorithm', (payload) => signRequest({ ...payload, algorithm: undefined }, app.client_secret)],
    ['without a time', (payload) => signRequest({ ...payload, issued_at: undefined }, app.client_secret)],
    ['two days old', (payload) => signRequest({ ...payload, issued_at: now() - 2 * 86_400 }, app.client_secret)],
    ['from the future', (payload) => signRequest({ ...payload, issued_at: now() + 600 }, app.client_secret)],
    ['without a user', (payload) => signRequest({ ...payload, user_id: undefined }, app.client_secret)],
    ['about a number', (payload) => signRequest({ ...payload, user_id: 1 }, app.client_secret)],
    ['without a signature', (payload) => `.${signRequest(payload, app.client_secret).split('.')[1]}`],
    ['with half a signature', (payload) => signRequest(payload, app.client_secret).slice(20)],
    ['with a third part', (payload) => `${signRequest(payload, app.client_secret)}.x`],
    ['of nothing', () => ''],
  ])('a request %s is rejected and changes nothing', async (_, forge) => {
    const user = await createWebhookUser(logins, 'social')
    for (const topic of ['deauthorize', 'data_deletion']) {
      const response = await send(`social ${topic}`, { signed_request: forge(toPayload(user)) })
      expect(response.status).toBe(400)
      expect(await response.text()).not.toContain(user.provider_user_id)
    }
    expect(await readState(logins, user)).toEqual(untouched)
  })

  test('503 while identity is unavailable, so that the provider retries', async () => {
    const user = await createWebhookUser(logins, 'social')
    await logins.serviceStack.nats.stop()
    const counts = await countWebhooks(replica, 'social', async () => {
      const rejected = await sendWebhook('deauthorize', toPayload(user))
      expect(rejected.status).toBe(503)
    })
    expect(counts).toEqual({ 'consent_revoked failed': 1 })
    await logins.serviceStack.nats.start()
    const again = async () => (await sendWebhook('deauthorize', toPayload(user))).status
    await expect.poll(again).toBe(200)
    await expect.poll(async () => (await readState(logins, user)).credential).toBe(false)
  })

  test('webhooks are counted by kind and outcome', async () => {
    const [revoked, deleted] = [await createWebhookUser(logins, 'social'), await createWebhookUser(logins, 'social')]
    const counts = await countWebhooks(replica, 'social', async () => {
      expect((await sendWebhook('deauthorize', toPayload(revoked))).status).toBe(200)
      expect((await sendWebhook('data_deletion', toPayload(deleted))).status).toBe(200)
    })
    expect(counts).toEqual({ 'consent_revoked applied': 1, 'data_deletion applied': 1 })
  })
})
