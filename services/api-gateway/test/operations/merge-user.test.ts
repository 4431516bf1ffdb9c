import { expect, test } from 'vitest'
import { refused } from '../caller.ts'
import { nobody } from '../patterns.ts'
import { createUser, logInAs, setStage } from '../stage.ts'

const stage = setStage()
const merge = (parameters: Record<string, string>) => stage.web_api.get('merge_user', parameters)
const attributes = async (identifier: string) => (await stage.web_api.get('user_attribute', { identifier })).body

test('200: the destination has both logins, providers and profiles; nothing of the source is left', async () => {
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
    expect(await stage.web_api.get(operation, { identifier: source })).toMatchObject(refused.entity_not_found)
  expect(await logInAs(stage, 'Hanako Yamada', 'search')).toBe(destination)
})

test('200 with nomerge: the destination’s profile is left as it is', async () => {
  const source = await logInAs(stage, 'Taro Tanaka', 'search')
  const destination = await logInAs(stage, 'Taro Tanaka', 'messaging')
  const { body: before } = await stage.web_api.get('profile', { identifier: destination })
  await merge({ source_identifier: source, dest_identifier: destination, nomerge: 'true' })
  const { profile } = (await stage.web_api.get('profile', { identifier: destination })).body as { profile: object }
  expect(profile).toEqual((before as { profile: object }).profile)
})

test('200: the destination keeps its primary_key, and takes over the source’s when it has none', async () => {
  const [source, destination] = [
    await createUser(stage.web_api, { primary_key: 'source-1' }),
    await createUser(stage.web_api, { primary_key: 'destination-1' }),
  ]
  expect(await merge({ source_primary_key: 'source-1', dest_primary_key: 'destination-1' })).toMatchObject({
    status: 200,
  })
  expect(await attributes(destination)).toMatchObject({ user: { primary_key: 'destination-1' } })
  expect(await stage.web_api.get('user_attribute', { primary_key: 'source-1' })).toMatchObject(refused.entity_not_found)
  expect(source).not.toBe(destination)

  await createUser(stage.web_api, { primary_key: 'source-2' })
  const unmapped = await createUser(stage.web_api)
  await merge({ source_primary_key: 'source-2', dest_identifier: unmapped })
  expect(await attributes(unmapped)).toMatchObject({ user: { primary_key: 'source-2' } })
})

test('500/3 when both have an account of one provider, and nothing is changed', async () => {
  const source = await logInAs(stage, 'Saburo Ito')
  const destination = await logInAs(stage, 'Shiro Kato')
  const before = [await attributes(source), await attributes(destination)]
  expect(await merge({ source_identifier: source, dest_identifier: destination })).toMatchObject(
    refused.operation_failed,
  )
  expect([await attributes(source), await attributes(destination)]).toEqual(before)
})

test('400/6 when source and destination are one user, by whatever ids', async () => {
  const identifier = await createUser(stage.web_api, { primary_key: 'one-user' })
  expect(await merge({ source_identifier: identifier, dest_primary_key: 'one-user' })).toMatchObject(
    refused.invalid_parameter,
  )
  expect(await merge({ source_identifier: identifier, dest_identifier: identifier })).toMatchObject(
    refused.invalid_parameter,
  )
})

test('400/5 without a source or a destination, 404/7 when either is unknown, 400/6 before it when two ids differ', async () => {
  const one = await createUser(stage.web_api, { primary_key: 'merge-one' })
  const two = await createUser(stage.web_api)
  expect(await merge({ source_identifier: one })).toMatchObject(refused.parameter_missing)
  expect(await merge({ dest_identifier: one })).toMatchObject(refused.parameter_missing)
  expect(await merge({ identifier: one, primary_key: 'merge-one' })).toMatchObject(refused.parameter_missing)
  expect(await merge({ source_identifier: nobody, dest_identifier: one })).toMatchObject(refused.entity_not_found)
  expect(await merge({ source_identifier: one, dest_primary_key: 'nobody' })).toMatchObject(refused.entity_not_found)
  const differ = { dest_identifier: two, dest_primary_key: 'merge-one' }
  expect(await merge({ source_identifier: nobody, ...differ })).toMatchObject(refused.invalid_parameter)
})

test('of A into B and B into A at once one is done', async () => {
  const [one, two] = [await createUser(stage.web_api), await createUser(stage.web_api)]
  const answers = await Promise.all([
    merge({ source_identifier: one, dest_identifier: two }),
    merge({ source_identifier: two, dest_identifier: one }),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
})
