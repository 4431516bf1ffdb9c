import { expect, test } from 'vitest'
import { errorResponses } from '../caller.ts'
import { timestampPattern, unknownIdentifier } from '../patterns.ts'
import { createTestUser, setStage } from '../stage.ts'

const stage = setStage()
const mapped = { status: 200, body: { status: 'ok' } }

test('200: the user is found by its primary_key from then on', async () => {
  const identifier = await createTestUser(stage.web_api)
  expect(await stage.web_api.get('map', { identifier, primary_key: 'p1' })).toMatchObject(mapped)
  const { body } = await stage.web_api.get('user_attribute', { primary_key: 'p1' })
  expect(body).toMatchObject({ user: { identifier, primary_key: 'p1', mapped_at: timestampPattern } })
})

test('200 when the same value is mapped again', async () => {
  const identifier = await createTestUser(stage.web_api, { primary_key: 'p2' })
  expect(await stage.web_api.post('map', { identifier, primary_key: 'p2' })).toMatchObject(mapped)
})

test('403/8 when already mapped and overwrite is not given, or not true', async () => {
  const identifier = await createTestUser(stage.web_api, { primary_key: 'p3' })
  const other = { identifier, primary_key: 'p3-other' }
  expect(await stage.web_api.get('map', other)).toMatchObject(errorResponses.already_mapped)
  expect(await stage.web_api.get('map', { ...other, overwrite: 'TRUE' })).toMatchObject(errorResponses.already_mapped)
  expect((await stage.web_api.get('user_attribute', { identifier })).body).toMatchObject({
    user: { primary_key: 'p3' },
  })
})

test.each(['true', 'yes', 'y', 'enabled'])('200 when overwrite is %s: the old value is unknown', async (overwrite) => {
  const before = `before-${overwrite}`
  const after = `after-${overwrite}`
  const identifier = await createTestUser(stage.web_api, { primary_key: before })
  expect(await stage.web_api.get('map', { identifier, primary_key: after, overwrite })).toMatchObject(mapped)
  expect((await stage.web_api.get('user_attribute', { primary_key: after })).body).toMatchObject({
    user: { identifier },
  })
  expect(await stage.web_api.get('user_attribute', { primary_key: before })).toMatchObject(
    errorResponses.entity_not_found,
  )
})

test('400/16 when the value belongs to another user, before 403/8 and regardless of overwrite', async () => {
  await createTestUser(stage.web_api, { primary_key: 'p5' })
  const identifier = await createTestUser(stage.web_api, { primary_key: 'p5-mine' })
  const taken = { identifier, primary_key: 'p5' }
  expect(await stage.web_api.get('map', taken)).toMatchObject(errorResponses.duplicated_primary_key)
  expect(await stage.web_api.get('map', { ...taken, overwrite: 'y' })).toMatchObject(
    errorResponses.duplicated_primary_key,
  )
})

test('404/7 for an unknown user', async () => {
  expect(await stage.web_api.get('map', { identifier: unknownIdentifier, primary_key: 'p6' })).toMatchObject(
    errorResponses.entity_not_found,
  )
})

test.each([
  {},
  { identifier: unknownIdentifier },
  { primary_key: 'p' },
  { identifier: unknownIdentifier, primary_key: '' },
])('400/5 when both ids are not given: %j', async (parameters) => {
  expect(await stage.web_api.get('map', parameters)).toMatchObject(errorResponses.parameter_missing)
})

test.each([
  { identifier: 'x'.repeat(41), primary_key: 'p' },
  { identifier: unknownIdentifier, primary_key: 'a b' },
  { identifier: unknownIdentifier, primary_key: 'x'.repeat(256) },
])('400/6 for a malformed ID: %j', async (parameters) => {
  expect(await stage.web_api.get('map', parameters)).toMatchObject(errorResponses.invalid_parameter)
})

test('of two users mapped to one value concurrently, one gets it and the other 400/16', async () => {
  const two = await Promise.all([createTestUser(stage.web_api), createTestUser(stage.web_api)])
  const responses = await Promise.all(
    two.map((identifier) => stage.web_api.get('map', { identifier, primary_key: 'contested' })),
  )
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 400])
})
