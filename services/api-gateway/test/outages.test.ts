import { beforeAll, describe, expect, test } from 'vitest'
import { openForTest } from '#testing'
import { refused } from './caller.ts'
import { createUser, logInAs, setOwnStage } from './stage.ts'
import { bodyOf, event, saveWebhook, sendDelivery } from './webhook.ts'

const stage = setOwnStage()

const messagingId = 'U-Rokuro-Mori'
let webhookUri: string
beforeAll(async () => {
  webhookUri = await saveWebhook(stage)
  await createUser(stage.web_api, { 'provider_user_ids[messaging]': messagingId })
})

const readiness = async () => {
  const [gateway] = stage.serviceStack.services.api_gateway
  return (await fetch(`http://localhost:${gateway?.operations_port}/readyz`)).text()
}

describe('while NATS is away', () => {
  test('503/1003 with Retry-After, never 404 or an empty answer; afterwards all is as before', async () => {
    const identifier = await createUser(stage.web_api)
    await stage.serviceStack.nats.stop()
    for (const operation of ['user_attribute', 'delete_user']) {
      const answer = await stage.web_api.get(operation, { identifier })
      expect(answer).toMatchObject(refused.unavailable)
      expect(answer.headers.get('retry-after')).toBe('2')
    }
    expect(await stage.web_api.get('appinfo')).toMatchObject({ status: 200 })
    expect(await readiness()).toContain('NATS')

    await stage.serviceStack.nats.start()
    await expect
      .poll(() => stage.web_api.get('user_attribute', { identifier }), { timeout: 10_000 })
      .toMatchObject({ status: 200, body: { user: { identifier } } })
    await expect.poll(readiness).toBe('ready\n')
  })
})

describe('while the provider does not answer', () => {
  test('200 with the stored friendship status and provider_error when the provider does not answer', async () => {
    const identifier = await logInAs(stage, 'Jiro Sato')
    const ask = () => stage.web_api.get('line/friendship_status', { identifier })
    const { body: before } = await ask()
    for (const simulator of stage.serviceStack.services.simulator) await simulator.stop()
    const { status, body } = await ask()
    expect(status).toBe(200)
    expect(body).toEqual({
      ...(before as object),
      provider_error: { error: expect.stringMatching(/./), error_description: expect.any(String) },
    })
  })
})

describe('while a service is away', () => {
  test('503/1003 where it is asked, 200 where it is not', async () => {
    const identifier = await createUser(stage.web_api)
    const [profile] = stage.serviceStack.services.profile
    await profile?.stop()
    expect(await stage.web_api.get('profile', { identifier })).toMatchObject(refused.unavailable)
    expect(await stage.web_api.get('user_attribute', { identifier })).toMatchObject(refused.unavailable)
    expect(await stage.web_api.get('providers_of_user', { identifier })).toMatchObject({ status: 200 })
  })

  test('500/3 when a service fails in a way nobody expected, and nothing of it is told', async () => {
    const identifier = await createUser(stage.web_api)
    await using database = openForTest(stage.serviceStack.database_urls.identity)
    await database.knex.raw('alter table users rename to broken')
    const answer = await stage.web_api.get('providers_of_user', { identifier })
    const { error, ...body } = refused.operation_failed.body
    const documentation = 'https://api.example.com/docs#error-3'
    expect(answer.body).toEqual({ ...body, error: { ...error, documentation } })
    expect(answer.status).toBe(500)
  })

  test('without identity the gateway is not ready within seconds, and still serves by the keys it knows', async () => {
    const [identity] = stage.serviceStack.services.identity
    await identity?.stop()
    await expect.poll(readiness, { timeout: 10_000, interval: 200 }).toContain('table of sites')
    expect(await stage.web_api.get('appinfo')).toMatchObject({ status: 200 })
  })

  test('friend webhook: 503 while users cannot be found, so that it is sent again', async () => {
    for (const identity of stage.serviceStack.services.identity) await identity.stop()
    const response = await sendDelivery(webhookUri, bodyOf(event('follow', messagingId)))
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).not.toBeNull()
  })
})
