import { expect, test } from 'vitest'
import { errorResponses } from '../caller.ts'
import { unknownIdentifier } from '../patterns.ts'
import { createTestUser, logInAs, setStage } from '../stage.ts'

const stage = setStage()
const merge = (parameters: Record<string, string>) => stage.web_api.get('merge_user', parameters)
const attributes = async (identifier: string) => (await stage.web_api.get('user_attribute', { identifier })).body

test('200: the destination has the logins, providers and profiles of both; the source is deleted', async () => {
  const source = await logInAs(stage, 'Hanako Yamada', 'search')
  await logInAs(stage, 'Hanako Yamada', 'search')
  const destination = await logInAs(stage, 'Hanako Yamada', 'messaging')
  const { status, body } = await merge({ source_identifier: source, dest_identifier: destination })
  expect([status, body]).toEqual([200, { status: 'ok' }])
  expect(await attributes(destination)).toMatchObject({
    user: { identifier: destination, login_count: 3, last_logged_in_provider: 'messaging' },
    providers: { messaging: { messaging_id: expect.any(String) }, search: { access_token: expect.any(String) } },
  })
  const { body: profile } = await stage.web_api.get('profile', { identifier: destination })
  expect(profile).toMatchObject({ profile: { bio: expect.any(String), full_name: 'Hanako Yamada' } })
  for (const operation of ['user_attribute', 'profile', 'providers_of_user', 'delete_user'])
    expect(await stage.web_api.get(operation, { identifier: source })).toMatchObject(errorResponses.entity_not_found)
  expect(await logInAs(stage, 'Hanako Yamada', 'search')).toBe(destination)
})

test('200 with nomerge: the destination’s profile is unchanged', async () => {
  const source = await logInAs(stage, 'Taro Tanaka', 'search')
  const destination = await logInAs(stage, 'Taro Tanaka', 'messaging')
  const { body: before } = await stage.web_api.get('profile', { identifier: destination })
  await merge({ source_identifier: source, dest_identifier: destination, nomerge: 'true' })
  const { profile } = (await stage.web_api.get('profile', { identifier: destination })).body as { profile: object }
  expect(profile).toEqual((before as { profile: object }).profile)
})

test('200: the destination keeps its primary_key, or gets the source’s if it has none', async () => {
  const [source, destination] = [
    await createTestUser(stage.web_api, { primary_key: 'source-1' }),
    await createTestUser(stage.web_api, { primary_key: 'destination-1' }),
  ]
  expect(await merge({ source_primary_key: 'source-1', dest_primary_key: 'destination-1' })).toMatchObject({
    status: 200,
  })
  expect(await attributes(destination)).toMatchObject({ user: { primary_key: 'destination-1' } })
  expect(await stage.web_api.get('user_attribute', { primary_key: 'source-1' })).toMatchObject(
    errorResponses.entity_not_found,
  )
  expect(source).not.toBe(destination)

  await createTestUser(stage.web_api, { primary_key: 'source-2' })
  const unmapped = await createTestUser(stage.web_api)
  await merge({ source_primary_key: 'source-2', dest_identifier: unmapped })
  expect(await attributes(unmapped)).toMatchObject({ user: { primary_key: 'source-2' } })
})

test('500/3 if both have an account of the same provider, and nothing is changed', async () => {
  const source = await logInAs(stage, 'Saburo Ito')
  const destination = await logInAs(stage, 'Shiro Kato')
  const before = [await attributes(source), await attributes(destination)]
  expect(await merge({ source_identifier: source, dest_identifier: destination })).toMatchObject(
    errorResponses.operation_failed,
  )
  expect([await attributes(source), await attributes(destination)]).toEqual(before)
})

test('400/6 if source and destination are the same user, by any IDs', async () => {
  const identifier = await createTestUser(stage.web_api, { primary_key: 'one-user' })
  expect(await merge({ source_identifier: identifier, dest_primary_key: 'one-user' })).toMatchObject(
    errorResponses.invalid_parameter,
  )
  expect(await merge({ source_identifier: identifier, dest_identifier: identifier })).toMatchObject(
    errorResponses.invalid_parameter,
  )
})

test('400/5 without a source or a destination, 404/7 when either is unknown, 400/6 before it when two ids differ', async () => {
  const one = await createTestUser(stage.web_api, { primary_key: 'merge-one' })
  const two = await createTestUser(stage.web_api)
  expect(await merge({ source_identifier: one })).toMatchObject(errorResponses.parameter_missing)
  expect(await merge({ dest_identifier: one })).toMatchObject(errorResponses.parameter_missing)
  expect(await merge({ identifier: one, primary_key: 'merge-one' })).toMatchObject(errorResponses.parameter_missing)
  expect(await merge({ source_identifier: unknownIdentifier, dest_identifier: one })).toMatchObject(
    errorResponses.entity_not_found,
  )
  expect(await merge({ source_identifier: one, dest_primary_key: 'unknown' })).toMatchObject(
    errorResponses.entity_not_found,
  )
  const differ = { dest_identifier: two, dest_primary_key: 'merge-one' }
  expect(await merge({ source_identifier: unknownIdentifier, ...differ })).toMatchObject(
    errorResponses.invalid_parameter,
  )
})

test('of concurrent merges of A into B and B into A, one succeeds', async () => {
  const [one, two] = [await createTestUser(stage.web_api), await createTestUser(stage.web_api)]
  const responses = await Promise.all([
    merge({ source_identifier: one, dest_identifier: two }),
    merge({ source_identifier: two, dest_identifier: one }),
  ])
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 404])
})
