import { expect, test } from 'vitest'
import { errorResponses } from '../caller.ts'
import { unknownIdentifier } from '../patterns.ts'
import { createTestUser, logInAs, logInAtBoth, setStage } from '../stage.ts'

const stage = setStage()

const linked = async (identifier: string) =>
  ((await stage.web_api.get('providers_of_user', { identifier })).body as { providers: string[] }).providers
const dissociate = (identifier: string, targetProvider: string, flags = {}) =>
  stage.web_api.get('dissociate', { identifier, target_provider: targetProvider, ...flags })

test('200: the providers are unlinked, their data is deleted, and the profile has the data of the others', async () => {
  const identifier = await logInAtBoth(stage, 'Hanako Yamada')
  expect((await stage.web_api.get('profile', { identifier })).body).toMatchObject({
    profile: { user_name: 'Hanako Yamada' },
  })
  const { status, body } = await dissociate(identifier, 'messaging')
  expect([status, body]).toEqual([200, { status: 'ok', dissociated: ['messaging'] }])
  expect(await linked(identifier)).toEqual(['search'])
  const { body: attributes } = await stage.web_api.get('user_attribute', { identifier })
  expect(Object.keys((attributes as { providers: object }).providers)).toEqual(['search'])
  const { body: profile } = await stage.web_api.get('profile', { identifier })
  expect(profile).toMatchObject({ profile: { bio: null, full_name: 'Hanako Yamada' } })
  expect((profile as { email: { media_id: string }[] }).email.map(({ media_id }) => media_id)).toEqual(['search'])
})

test('200 with nomerge: the combined profile is unchanged', async () => {
  const identifier = await logInAtBoth(stage, 'Taro Tanaka')
  const { body: before } = await stage.web_api.get('profile', { identifier })
  expect(await dissociate(identifier, 'messaging', { nomerge: 'yes' })).toMatchObject({ status: 200 })
  const { profile } = (await stage.web_api.get('profile', { identifier })).body as { profile: object }
  expect(profile).toEqual((before as { profile: object }).profile)
})

test('a later login with the unlinked account is a new user', async () => {
  const identifier = await logInAtBoth(stage, 'Shiro Kato')
  await dissociate(identifier, 'search')
  expect(await logInAs(stage, 'Shiro Kato', 'search')).not.toBe(identifier)
  expect(await logInAs(stage, 'Shiro Kato', 'messaging')).toBe(identifier)
})

test('400/17 for the last provider, or all of them, and nothing changes; 200 with nowarn', async () => {
  const identifier = await logInAtBoth(stage, 'Goro Abe')
  expect(await dissociate(identifier, 'search,messaging')).toMatchObject(errorResponses.last_provider)
  expect(await linked(identifier)).toEqual(['messaging', 'search'])
  const both = await dissociate(identifier, 'search,messaging,search', { nowarn: 'y' })
  expect(both).toMatchObject({ status: 200, body: { dissociated: ['messaging', 'search'] } })
  expect(await linked(identifier)).toEqual([])

  const single = await logInAs(stage, 'Rokuro Ueda')
  expect(await dissociate(single, 'messaging', { nowarn: '1' })).toMatchObject(errorResponses.last_provider)
  expect(await dissociate(single, 'messaging', { nowarn: 'enabled' })).toMatchObject({ status: 200 })
})

test('404/9 when one of the providers is not linked, before 400/17, and nothing changes', async () => {
  const identifier = await logInAs(stage, 'Jiro Sato')
  expect(await dissociate(identifier, 'search')).toMatchObject(errorResponses.provider_not_linked)
  expect(await dissociate(identifier, 'messaging,search')).toMatchObject(errorResponses.provider_not_linked)
  expect(await dissociate(identifier, 'shopping', { nowarn: 'y' })).toMatchObject(errorResponses.provider_not_linked)
  expect(await linked(identifier)).toEqual(['messaging'])
})

test('of two concurrent requests that would leave no provider, one gets 400/17', async () => {
  const identifier = await createTestUser(stage.web_api, {
    'provider_user_ids[messaging]': 'U-two-at-once',
    'provider_user_ids[search]': '98765',
  })
  const responses = await Promise.all(['messaging', 'search'].map((provider) => dissociate(identifier, provider)))
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 400])
  expect(await linked(identifier)).toHaveLength(1)
})

test('400/5, 400/6 and 404/7 in this order', async () => {
  const request = (parameters: Record<string, string>) => stage.web_api.get('dissociate', parameters)
  expect(await request({ identifier: 'é' })).toMatchObject(errorResponses.parameter_missing)
  expect(await request({ target_provider: 'nowhere' })).toMatchObject(errorResponses.parameter_missing)
  expect(await dissociate(unknownIdentifier, 'nowhere')).toMatchObject(errorResponses.invalid_parameter)
  expect(await dissociate(unknownIdentifier, 'search')).toMatchObject(errorResponses.entity_not_found)
})
