import { beforeAll, describe, expect, test } from 'vitest'
import { openForTest, runsAsOneProcess } from '#testing'
import { errorResponses } from './caller.ts'
import { createBody, createEvent, saveWebhook, sendDelivery } from './messaging-webhook.ts'
import { createTestUser, logInAs, setOwnStage } from './stage.ts'

const stage = setOwnStage()

const messagingId = 'U-Rokuro-Mori'
let webhookUri: string
beforeAll(async () => {
  webhookUri = await saveWebhook(stage)
  await createTestUser(stage.web_api, { 'provider_user_ids[messaging]': messagingId })
})

const readiness = async () => {
  const [gateway] = stage.serviceStack.services.api_gateway
  return (await fetch(`http://localhost:${gateway?.operations_port}/readyz`)).text()
}

// In one process, services need no NATS for each other.
describe.skipIf(runsAsOneProcess)('while NATS is unavailable', () => {
  test('503/1003 with Retry-After, never 404 or an empty response; afterwards everything works again', async () => {
    const identifier = await createTestUser(stage.web_api)
    await stage.serviceStack.nats.stop()
    for (const operation of ['user_attribute', 'delete_user']) {
      const result = await stage.web_api.get(operation, { identifier })
      expect(result).toMatchObject(errorResponses.unavailable)
      expect(result.headers.get('retry-after')).toBe('2')
    }
    expect(await stage.web_api.get('appinfo')).toMatchObject({ status: 200 })
    expect(await readiness()).toContain('NATS')

    await stage.serviceStack.nats.start()
    await expect
      .poll(() => stage.web_api.get('user_attribute', { identifier }))
      .toMatchObject({ status: 200, body: { user: { identifier } } })
    await expect.poll(readiness).toBe('ready\n')
  })
})

describe('while the provider does not respond', () => {
  test('200 with the stored friendship status and provider_error', async () => {
    const identifier = await logInAs(stage, 'Jiro Sato')
    const request = () => stage.web_api.get('line/friendship_status', { identifier })
    const { body: before } = await request()
    for (const simulator of stage.serviceStack.services.simulator) await simulator.stop()
    const { status, body } = await request()
    expect(status).toBe(200)
    expect(body).toEqual({
      ...(before as object),
      provider_error: { error: expect.stringMatching(/./), error_description: expect.any(String) },
    })
  })
})

describe('while a service is unavailable', () => {
  test('503/1003 for operations that call it, 200 for others', async () => {
    const identifier = await createTestUser(stage.web_api)
    await using _ = await stage.serviceStack.stopService('profile')
    expect(await stage.web_api.get('profile', { identifier })).toMatchObject(errorResponses.unavailable)
    expect(await stage.web_api.get('user_attribute', { identifier })).toMatchObject(errorResponses.unavailable)
    expect(await stage.web_api.get('providers_of_user', { identifier })).toMatchObject({ status: 200 })
  })

  test('500/3 for an unexpected error of a service, without details', async () => {
    const identifier = await createTestUser(stage.web_api)
    await using database = openForTest(stage.serviceStack.database_urls.identity)
    await database.knex.raw('alter table users rename to broken')
    const result = await stage.web_api.get('providers_of_user', { identifier })
    const { error, ...body } = errorResponses.operation_failed.body
    await database.knex.raw('alter table broken rename to users')
    const documentation = 'https://api.example.com/docs#error-3'
    expect(result.body).toEqual({ ...body, error: { ...error, documentation } })
    expect(result.status).toBe(500)
  })

  test('without identity the gateway stays ready, so that callers get its 503, and serves with the keys it has', async () => {
    await using _ = await stage.serviceStack.stopService('identity')
    expect(await stage.web_api.get('users')).toMatchObject(errorResponses.unavailable)
    expect(await stage.web_api.get('appinfo')).toMatchObject({ status: 200 })
    expect(await readiness()).toBe('ready\n')
  })

  test('friend webhook: 503 while users cannot be looked up, so that the provider retries', async () => {
    await using _ = await stage.serviceStack.stopService('identity')
    const response = await sendDelivery(webhookUri, createBody(createEvent('follow', messagingId)))
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).not.toBeNull()
  })
})
