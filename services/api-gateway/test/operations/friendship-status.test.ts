import { expect, test } from 'vitest'
import { seedSite } from '#testing'
import { callerOf, refused } from '../caller.ts'
import { aTimestamp, nobody } from '../patterns.ts'
import { createUser, logInAs, setStage } from '../stage.ts'

const stage = setStage()
const ask = (identifier: string, resource = 'line') =>
  stage.web_api.get(`${resource}/friendship_status`, { identifier })

test('200 with the status and when it was told, at both of its paths, and user_attribute tells the same', async () => {
  const identifier = await logInAs(stage, 'Hanako Yamada')
  for (const resource of ['line', 'messaging']) {
    const { status, body } = await ask(identifier, resource)
    expect(status).toBe(200)
    expect(body).toEqual({
      status: 'ok',
      friendship_status: expect.any(Boolean),
      friendship_status_updated_at: aTimestamp,
    })
    const { friendship_status, friendship_status_updated_at } = body as Record<string, unknown>
    expect((await stage.web_api.get('user_attribute', { identifier })).body).toMatchObject({
      providers: { messaging: { friendship_status, friendship_status_updated_at } },
    })
  }
})

test('404/9 for a user who is not linked to the messaging provider', async () => {
  expect(await ask(await createUser(stage.web_api))).toMatchObject(refused.provider_not_linked)
  expect(await ask(await logInAs(stage, 'Taro Tanaka', 'search'))).toMatchObject(refused.provider_not_linked)
})

test('404/7 when there is no such user, 400/5 when none is named; 404/1008 at a path that is no resource', async () => {
  expect(await ask(nobody)).toMatchObject(refused.entity_not_found)
  expect(await stage.web_api.get('line/friendship_status')).toMatchObject(refused.parameter_missing)
  for (const path of ['friendship_status', 'search/friendship_status', 'line', 'line/'])
    expect(await stage.web_api.get(path, { identifier: nobody })).toMatchObject(refused.unknown_operation)
})

test('400/11 when no official account is tied to the login channel; 404/9 of a user without a link comes before', async () => {
  const other = await seedSite(stage.serviceStack)
  const webApi = callerOf(stage.serviceStack.web_api, other.api_key)
  const identifier = await logInAs({ ...stage, site: other }, 'Hanako Yamada')
  const { site, account, site_id, providers } = other
  const { client_id, client_secret } = providers.messaging
  const settings = { site, account, site_id, provider: 'messaging', client_id, client_secret } as const
  const { provider_auth, call } = stage.serviceStack
  await provider_auth.saveProviderSettings({ ...settings, official_account: false }, call())
  expect(await webApi.get('line/friendship_status', { identifier })).toMatchObject(refused.provider_settings_incomplete)
  const unlinked = await createUser(webApi)
  expect(await webApi.get('line/friendship_status', { identifier: unlinked })).toMatchObject(
    refused.provider_not_linked,
  )
})
