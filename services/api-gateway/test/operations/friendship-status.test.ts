import { expect, test } from 'vitest'
import { passClockSteps, seedSite } from '#testing'
import { createCaller, errorResponses } from '../caller.ts'
import { timestampPattern, unknownIdentifier } from '../patterns.ts'
import { createTestUser, logInAs, setStage } from '../stage.ts'

const stage = setStage()
const request = (identifier: string, resource = 'line') =>
  stage.web_api.get(`${resource}/friendship_status`, { identifier })

test('200 with the status and its time, at both paths, and the same in user_attribute', async () => {
  const identifier = await logInAs(stage, 'Hanako Yamada')
  for (const resource of ['line', 'messaging']) {
    await passClockSteps()
    const { status, body } = await request(identifier, resource)
    expect(status).toBe(200)
    expect(body).toEqual({
      status: 'ok',
      friendship_status: expect.any(Boolean),
      friendship_status_updated_at: timestampPattern,
    })
    const { friendship_status, friendship_status_updated_at } = body as Record<string, unknown>
    expect((await stage.web_api.get('user_attribute', { identifier })).body).toMatchObject({
      providers: { messaging: { friendship_status, friendship_status_updated_at } },
    })
  }
})

test('404/9 for a user who is not linked to the messaging provider', async () => {
  expect(await request(await createTestUser(stage.web_api))).toMatchObject(errorResponses.provider_not_linked)
  expect(await request(await logInAs(stage, 'Taro Tanaka', 'search'))).toMatchObject(errorResponses.provider_not_linked)
})

test('404/7 for an unknown user, 400/5 without one; 404/1008 at an unknown path', async () => {
  expect(await request(unknownIdentifier)).toMatchObject(errorResponses.entity_not_found)
  expect(await stage.web_api.get('line/friendship_status')).toMatchObject(errorResponses.parameter_missing)
  for (const path of ['friendship_status', 'search/friendship_status', 'line', 'line/'])
    expect(await stage.web_api.get(path, { identifier: unknownIdentifier })).toMatchObject(
      errorResponses.unknown_operation,
    )
})

test('400/11 without an official account of the login channel; 404/9 for a user without a link takes precedence', async () => {
  const other = await seedSite(stage.serviceStack)
  const webApi = createCaller(stage.serviceStack.web_api, other.api_key)
  const identifier = await logInAs({ ...stage, site: other }, 'Hanako Yamada')
  const { site, account, site_id, providers } = other
  const { client_id, client_secret } = providers.messaging
  const settings = { site, account, site_id, provider: 'messaging', client_id, client_secret } as const
  const { provider_auth, call } = stage.serviceStack
  await provider_auth.saveProviderSettings({ ...settings, official_account: false }, call())
  expect(await webApi.get('line/friendship_status', { identifier })).toMatchObject(
    errorResponses.provider_settings_incomplete,
  )
  const unlinked = await createTestUser(webApi)
  expect(await webApi.get('line/friendship_status', { identifier: unlinked })).toMatchObject(
    errorResponses.provider_not_linked,
  )
})
