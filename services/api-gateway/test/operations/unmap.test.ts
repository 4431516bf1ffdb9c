import { expect, test } from 'vitest'
import { errorResponses } from '../caller.ts'
import { unknownIdentifier } from '../patterns.ts'
import { createTestUser, setStage } from '../stage.ts'

const stage = setStage()
const done = { status: 200, body: { status: 'ok' } }

test.each(['identifier', 'primary_key'])('200 by %s: the user remains, its primary_key is unknown', async (by) => {
  const primaryKey = `unmapped-by-${by}`
  const identifier = await createTestUser(stage.web_api, { primary_key: primaryKey })
  expect(await stage.web_api.get('unmap', { [by]: { identifier, primary_key: primaryKey }[by] ?? '' })).toMatchObject(
    done,
  )
  const { body } = await stage.web_api.get('user_attribute', { identifier })
  expect(body).toMatchObject({ user: { identifier, primary_key: null, mapped_at: null } })
  expect(await stage.web_api.get('unmap', { primary_key: primaryKey })).toMatchObject(errorResponses.entity_not_found)
})

test('200 when the user is not mapped', async () => {
  const identifier = await createTestUser(stage.web_api)
  expect(await stage.web_api.post('unmap', { identifier })).toMatchObject(done)
})

test('the freed value can be mapped to another user', async () => {
  const identifier = await createTestUser(stage.web_api, { primary_key: 'freed' })
  await stage.web_api.get('unmap', { identifier })
  const other = await createTestUser(stage.web_api)
  expect(await stage.web_api.get('map', { identifier: other, primary_key: 'freed' })).toMatchObject(done)
})

test('404/7 for an unknown user, 400/5 without one', async () => {
  expect(await stage.web_api.get('unmap', { identifier: unknownIdentifier })).toMatchObject(
    errorResponses.entity_not_found,
  )
  expect(await stage.web_api.get('unmap')).toMatchObject(errorResponses.parameter_missing)
})
