import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { passClockSteps, seedSite } from '#testing'
import { createCaller } from '../caller.ts'
import { createBody, createEvent, saveWebhook, sendDelivery, sign } from '../messaging-webhook.ts'
import { timestampPattern } from '../patterns.ts'
import { createTestUser, logInAs, setStage } from '../stage.ts'

const stage = setStage()
let webhookUri: string
beforeAll(async () => {
  webhookUri = await saveWebhook(stage)
  expect(webhookUri).toMatch(/\/oauth2\/webhooks\/messaging\/[\w-]{22}$/)
})

/** The end user adds or blocks the official account at the provider. */
async function befriend(user: string, friend: boolean): Promise<unknown> {
  const response = await fetch(`${stage.serviceStack.simulator}/messaging/friends`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_id: stage.site.providers.messaging.client_id, user, friend }),
  })
  return response.json()
}

const FriendStatusBody = z.object({
  friendship_status: z.boolean().nullable(),
  friendship_status_updated_at: z.string().nullable(),
})
const UserAttribute = z.object({
  providers: z.object({ messaging: FriendStatusBody.extend({ messaging_id: z.string() }) }),
})

async function linkOf(identifier: string) {
  const { body } = await stage.web_api.get('user_attribute', { identifier })
  return UserAttribute.parse(body).providers.messaging
}
const statusOf = async (identifier: string) => (await linkOf(identifier)).friendship_status

const send = (body: string, signature?: string, uri = webhookUri) => sendDelivery(uri, body, signature)

/** A user who has logged in and is not a friend, with the provider's user ID. */
async function newcomer(user: string) {
  const identifier = await logInAs(stage, user)
  const { messaging_id, friendship_status } = await linkOf(identifier)
  expect(friendship_status).toBe(false)
  await passClockSteps()
  return { identifier, messaging_id }
}

test('a webhook sets and clears the friend status without a login', async () => {
  const { identifier } = await newcomer('Hanako Yamada')
  for (const friend of [true, false, true]) {
    await passClockSteps()
    expect(await befriend('Hanako Yamada', friend)).toEqual({ changed: true, webhook_status: 200 })
    const expectedStatus = { friendship_status: friend, friendship_status_updated_at: timestampPattern }
    expect(await linkOf(identifier)).toMatchObject(expectedStatus)
    const parameters = { identifier, target_provider: 'messaging' }
    expect((await stage.web_api.get('profile_from_providers', parameters)).body).toMatchObject({
      messaging: { profile: expectedStatus },
    })
  }
  expect(await befriend('Hanako Yamada', true)).toEqual({ changed: false, webhook_status: null })
})

test('the status has the time of the event, and an older event is ignored', async () => {
  const { identifier, messaging_id } = await newcomer('Taro Tanaka')
  const timestamp = Date.now()
  await passClockSteps()
  const followed = createBody(createEvent('follow', messaging_id, { timestamp }))
  expect((await send(followed)).status).toBe(200)
  const seconds = new Date(timestamp).toISOString().replace(/\.\d+/, '')
  expect(await linkOf(identifier)).toMatchObject({ friendship_status: true, friendship_status_updated_at: seconds })

  expect((await send(createBody(createEvent('unfollow', messaging_id, { timestamp: timestamp - 5_000 })))).status).toBe(
    200,
  )
  expect(await statusOf(identifier)).toBe(true)
  await passClockSteps()
  expect((await send(createBody(createEvent('unfollow', messaging_id)))).status).toBe(200)
  expect((await send(followed)).status).toBe(200)
  expect(await statusOf(identifier)).toBe(false)
})

test('of several events of one user in a delivery, the latest counts, regardless of their order', async () => {
  const { identifier, messaging_id } = await newcomer('Jiro Sato')
  const timestamp = Date.now()
  await passClockSteps()
  const last = createEvent('follow', messaging_id, { timestamp, follow: { isUnblocked: true } })
  const first = createEvent('unfollow', messaging_id, { timestamp: timestamp - 1 })
  expect((await send(createBody(last, first))).status).toBe(200)
  expect(await statusOf(identifier)).toBe(true)
})

test('an event from the future counts as now, so that a later one still changes the status', async () => {
  const { identifier, messaging_id } = await newcomer('Shiro Kato')
  await send(createBody(createEvent('follow', messaging_id, { timestamp: Date.now() + 86_400_000 })))
  expect(await statusOf(identifier)).toBe(true)
  await passClockSteps()
  await send(createBody(createEvent('unfollow', messaging_id)))
  expect(await statusOf(identifier)).toBe(false)
})

test.each<[string, (userId: string) => unknown[]]>([
  ['nothing, as the provider’s verification sends it', () => []],
  ['an unknown user', () => [createEvent('follow', 'U-unknown')]],
  ['other things', (userId) => [createEvent('message', userId), 'follow', null, { type: 'follow' }]],
  ['a group', (userId) => [createEvent('follow', userId, { source: { type: 'group', groupId: userId } })]],
  ['no time', (userId) => [createEvent('follow', userId, { timestamp: 'now' })]],
])('200 without a change for a delivery of %s', async (what, events) => {
  const { identifier, messaging_id } = await newcomer(`Visitor ${what.length}`)
  const { status } = await send(createBody(...events(messaging_id)))
  expect(status).toBe(200)
  expect(await statusOf(identifier)).toBe(false)
})

test('a delivery is rejected unless the provider signed exactly these bytes', async () => {
  const { identifier, messaging_id } = await newcomer('Goro Ito')
  const body = createBody(createEvent('follow', messaging_id))
  const rejectedStatus = async (response: Promise<Response>) => {
    const { status, headers } = await response
    expect(headers.get('set-cookie')).toBeNull()
    expect(await statusOf(identifier)).toBe(false)
    return status
  }
  expect(await rejectedStatus(send(body, ''))).toBe(401)
  expect(await rejectedStatus(send(body, sign(`${body} `)))).toBe(401)
  expect(await rejectedStatus(send(body, sign(body, stage.site.providers.messaging.client_secret)))).toBe(401)
  expect(await rejectedStatus(send(`${body} `, sign(body)))).toBe(401)
  for (const malformed of ['', '[]', '{"events":1}', '{"events":[', body.slice(0, -1)])
    expect(await rejectedStatus(send(malformed))).toBe(400)
  expect(await rejectedStatus(send(createBody('x'.repeat(1_100_000), createEvent('follow', messaging_id))))).toBe(400)
  expect(await rejectedStatus(send(body, sign(body), `${webhookUri}x`))).toBe(404)
  expect(await rejectedStatus(fetch(webhookUri))).toBe(405)
})

test('404 if the settings have no webhook secret or belong to another provider', async () => {
  const other = await seedSite(stage.serviceStack)
  const base = webhookUri.slice(0, webhookUri.lastIndexOf('/'))
  for (const { login_provider_identifier } of [other.providers.messaging, stage.site.providers.search]) {
    const body = createBody()
    expect((await send(body, sign(body), `${base}/${login_provider_identifier}`)).status).toBe(404)
  }
})

test('users of other sites are not affected', async () => {
  const other = await seedSite(stage.serviceStack)
  const identifier = await logInAs({ ...stage, site: other }, 'Rokuro Abe')
  const { messaging_id } = await linkOf(await logInAs(stage, 'Rokuro Abe'))
  await send(createBody(createEvent('follow', messaging_id)))
  const { body } = await createCaller(stage.serviceStack.web_api, other.api_key).get('user_attribute', { identifier })
  expect(UserAttribute.parse(body).providers.messaging.friendship_status).toBe(false)
})

test('a user who was linked without a login is found', async () => {
  const identifier = await createTestUser(stage.web_api, { 'provider_user_ids[messaging]': 'U-linked-by-id' })
  await send(createBody(createEvent('follow', 'U-linked-by-id')))
  expect(await statusOf(identifier)).toBe(true)
})
