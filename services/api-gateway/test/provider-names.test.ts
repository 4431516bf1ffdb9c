import { expect, test } from 'vitest'
import { errorResponses } from './caller.ts'
import { createTestUser, logInAs, setOwnStage } from './stage.ts'

const renamed = { PROVIDER_NAMES: 'messaging:abc,microblog:twitter,microblog_x:x' }
const stage = setOwnStage({ gatewayEnvironment: renamed, providerAuthEnvironment: renamed })

test('a provider’s wire name is used everywhere', async () => {
  const { web_api } = stage
  const identifier = await logInAs(stage, 'Hanako Yamada')
  expect((await web_api.get('providers')).body).toMatchObject({ providers: expect.arrayContaining(['abc', 'search']) })
  expect((await web_api.get('providers_of_user', { identifier })).body).toMatchObject({ providers: ['abc'] })
  const { body: attributes } = await web_api.get('user_attribute', { identifier })
  expect(attributes).toMatchObject({
    user: { last_logged_in_provider: 'abc' },
    providers: { abc: { abc_id: expect.any(String) } },
  })
  expect(JSON.stringify(attributes)).not.toContain('messaging')
  expect((await web_api.get('profile', { identifier })).body).toMatchObject({ email: [{ media_id: 'abc' }] })
})

test('parameters accept the wire name, but not the token that it replaces', async () => {
  const primaryKey = 'renamed'
  await createTestUser(stage.web_api, {
    primary_key: primaryKey,
    'provider_user_ids[abc]': 'U1',
    'provider_user_ids[messaging]': 'U2',
  })
  const { body } = await stage.web_api.get('user_attribute', { primary_key: primaryKey })
  expect(body).toMatchObject({ providers: { abc: { abc_id: 'U1' } } })
})

test('the microblog provider’s name in the authorization path is renamed separately', async () => {
  const { microblog } = stage.site.providers
  expect(microblog.authorize_uri).toBe(
    `${stage.serviceStack.auth}/oauth2/authorize/x/${microblog.login_provider_identifier}`,
  )
  const identifier = await logInAs(stage, 'Jiro Suzuki', 'microblog')
  expect((await stage.web_api.get('providers_of_user', { identifier })).body).toMatchObject({ providers: ['twitter'] })
})

test('lists of providers, the path of friendship_status and the description use the wire name', async () => {
  const { web_api } = stage
  const identifier = await logInAs(stage, 'Taro Tanaka')
  const request = (targetProvider: string) =>
    web_api.get('profile_from_providers', { identifier, target_provider: targetProvider })
  expect((await request('abc')).body).toMatchObject({ abc: { profile: { user_name: 'Taro Tanaka' } } })
  expect(await request('messaging')).toMatchObject(errorResponses.invalid_parameter)
  expect(await web_api.get('abc/friendship_status', { identifier })).toMatchObject({ status: 200 })
  expect(await web_api.get('messaging/friendship_status', { identifier })).toMatchObject(
    errorResponses.unknown_operation,
  )
  const unlink = { identifier, target_provider: 'abc', nowarn: 'y' }
  expect((await web_api.get('dissociate', unlink)).body).toEqual({ status: 'ok', dissociated: ['abc'] })
  const { origin } = new URL(stage.serviceStack.web_api)
  for (const place of ['/openapi.json', '/docs/content.json']) {
    const text = await (await fetch(`${origin}${place}`)).text()
    expect(text).toContain('abc/friendship_status')
    expect(text).not.toMatch(/["'[/,=>]messaging\b/)
  }
})
