import { expect, test } from 'vitest'
import { readLinkData } from '#testing'
import { errorResponses } from '../caller.ts'
import { unknownIdentifier } from '../patterns.ts'
import { createTestUser, logInAs, setStage } from '../stage.ts'

const stage = setStage()
const done = { status: 200, body: { status: 'ok' } }

test.each(['identifier', 'primary_key'])('200 by %s: both IDs are unknown afterwards', async (by) => {
  const primaryKey = `deleted-by-${by}`
  const identifier = await createTestUser(stage.web_api, { primary_key: primaryKey })
  expect(
    await stage.web_api.get('delete_user', { [by]: { identifier, primary_key: primaryKey }[by] ?? '' }),
  ).toMatchObject(done)
  for (const operation of ['user_attribute', 'profile', 'providers_of_user', 'unmap', 'delete_user']) {
    expect(await stage.web_api.get(operation, { identifier })).toMatchObject(errorResponses.entity_not_found)
    expect(await stage.web_api.get(operation, { primary_key: primaryKey })).toMatchObject(
      errorResponses.entity_not_found,
    )
  }
})

test('the primary_key is free for another user', async () => {
  const identifier = await createTestUser(stage.web_api, { primary_key: 'inherited' })
  await stage.web_api.post('delete_user', { identifier })
  expect(await createTestUser(stage.web_api, { primary_key: 'inherited' })).not.toBe(identifier)
})

test('all services delete the data of a user who logged in, and a later login creates a new user', async () => {
  const identifier = await logInAs(stage, 'Taro Tanaka')
  const { serviceStack } = stage
  const subject = { site: stage.site.site, identifier }
  const { links, credentials } = await readLinkData(serviceStack, subject)
  expect(Object.keys(credentials)).toEqual(['messaging'])
  expect(await stage.web_api.get('delete_user', { identifier })).toMatchObject(done)

  const { profile, call } = serviceStack
  expect(await readLinkData(serviceStack, subject, links)).toMatchObject({
    credentials: {},
    data: {},
    friend: { friendship_status: null },
  })
  const { email, profile: data } = await profile.readProfile(subject, call())
  expect([email, data.user_name]).toEqual([[], null])

  expect(await logInAs(stage, 'Taro Tanaka')).not.toBe(identifier)
})

test('404/7 for an unknown user, 400/5 without one', async () => {
  expect(await stage.web_api.get('delete_user', { identifier: unknownIdentifier })).toMatchObject(
    errorResponses.entity_not_found,
  )
  expect(await stage.web_api.get('delete_user')).toMatchObject(errorResponses.parameter_missing)
})

test('of two concurrent deletions both succeed, or one gets 404', async () => {
  const identifier = await createTestUser(stage.web_api)
  const responses = await Promise.all([1, 2].map(() => stage.web_api.get('delete_user', { identifier })))
  const statuses = responses.map(({ status }) => status).sort()
  expect([
    [200, 200],
    [200, 404],
  ]).toContainEqual(statuses)
})
