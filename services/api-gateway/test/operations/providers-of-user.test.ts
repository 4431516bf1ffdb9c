import { expect, test } from 'vitest'
import { errorResponses } from '../caller.ts'
import { unknownIdentifier } from '../patterns.ts'
import { createTestUser, logInAs, setStage } from '../stage.ts'

const stage = setStage()

test('200 with the provider of the login', async () => {
  const identifier = await logInAs(stage, 'Jiro Sato', 'search')
  const body = { status: 'ok', providers: ['search'] }
  expect(await stage.web_api.get('providers_of_user', { identifier })).toMatchObject({ status: 200, body })
})

test('200 with all linked providers in a fixed order', async () => {
  const primaryKey = 'linked-to-two'
  await createTestUser(stage.web_api, {
    primary_key: primaryKey,
    'provider_user_ids[search]': '1',
    'provider_user_ids[messaging]': 'U1',
  })
  const body = { status: 'ok', providers: ['messaging', 'search'] }
  expect(await stage.web_api.post('providers_of_user', { primary_key: primaryKey })).toMatchObject({
    status: 200,
    body,
  })
})

test('200 with none for a user without links', async () => {
  const identifier = await createTestUser(stage.web_api)
  const { body } = await stage.web_api.get('providers_of_user', { identifier })
  expect(body).toEqual({ status: 'ok', providers: [] })
})

test('404/7 for an unknown user, 400/5 without one', async () => {
  expect(await stage.web_api.get('providers_of_user', { identifier: unknownIdentifier })).toMatchObject(
    errorResponses.entity_not_found,
  )
  expect(await stage.web_api.get('providers_of_user')).toMatchObject(errorResponses.parameter_missing)
})
