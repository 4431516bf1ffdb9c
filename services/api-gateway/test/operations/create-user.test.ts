import { describe, expect, test } from 'vitest'
import { errorResponses } from '../caller.ts'
import { identifierPattern } from '../patterns.ts'
import { countUsers, createTestUser, logInAs, setStage } from '../stage.ts'

const stage = setStage()

test('200 with only an identifier without parameters', async () => {
  const { status, body } = await stage.web_api.get('create_user')
  expect({ status, body }).toEqual({ status: 200, body: { status: 'ok', user: { identifier: identifierPattern } } })
})

test('200 with the given primary_key, which is mapped', async () => {
  const primaryKey = 'customer-1!~'
  const { body } = await stage.web_api.post('create_user', { primary_key: primaryKey })
  expect(body).toEqual({ status: 'ok', user: { identifier: identifierPattern, primary_key: primaryKey } })
  expect((await stage.web_api.get('user_attribute', { primary_key: primaryKey })).body).toMatchObject({
    user: { primary_key: primaryKey },
  })
})

test('400/16 when the primary_key belongs to another user, and nothing is created', async () => {
  await createTestUser(stage.web_api, { primary_key: 'taken' })
  const before = await countUsers(stage.web_api)
  expect(await stage.web_api.get('create_user', { primary_key: 'taken' })).toMatchObject(
    errorResponses.duplicated_primary_key,
  )
  expect(await countUsers(stage.web_api)).toBe(before)
})

test.each(['with space', 'é', 'tab\t', 'x'.repeat(256)])('400/6 when the primary_key is %j', async (primaryKey) => {
  expect(await stage.web_api.get('create_user', { primary_key: primaryKey })).toMatchObject(
    errorResponses.invalid_parameter,
  )
})

describe('provider_user_ids', () => {
  test('200: entries of configured providers are linked, the others are ignored', async () => {
    const { body } = await stage.web_api.get('create_user', {
      'provider_user_ids[messaging]': 'U-linked',
      'provider_user_ids[shopping]': 'not configured',
      'provider_user_ids[nowhere]': 'not a provider',
      'provider_user_ids[__proto__]': 'polluted',
    })
    const providerUserIds = { messaging: 'U-linked' }
    expect(body).toEqual({ status: 'ok', user: { identifier: identifierPattern, provider_user_ids: providerUserIds } })
    const { identifier } = (body as { user: { identifier: string } }).user
    const linked = await stage.web_api.get('providers_of_user', { identifier })
    expect(linked.body).toEqual({ status: 'ok', providers: ['messaging'] })
  })

  test('200 with no links when every entry is ignored', async () => {
    const { body } = await stage.web_api.get('create_user', { 'provider_user_ids[constructor]': 'x' })
    expect(body).toEqual({ status: 'ok', user: { identifier: identifierPattern, provider_user_ids: {} } })
  })

  test('a later login with that account is that user', async () => {
    const known = await logInAs(stage, 'Hanako Suzuki')
    const { links } = await stage.serviceStack.identity.resolveUser(
      { site: stage.site.site, identifier: known },
      stage.serviceStack.call(),
    )
    const account = links[0]?.provider_user_id ?? ''
    await stage.web_api.get('delete_user', { identifier: known })
    const created = await createTestUser(stage.web_api, { 'provider_user_ids[messaging]': account })
    expect(await logInAs(stage, 'Hanako Suzuki')).toBe(created)
  })

  test('400/6 when an account is linked to another user, and nothing is created', async () => {
    await createTestUser(stage.web_api, { 'provider_user_ids[search]': '100' })
    const before = await countUsers(stage.web_api)
    const again = { primary_key: 'never-created', 'provider_user_ids[search]': '100' }
    expect(await stage.web_api.get('create_user', again)).toMatchObject(errorResponses.invalid_parameter)
    expect(await countUsers(stage.web_api)).toBe(before)
    const { status } = await stage.web_api.get('user_attribute', { primary_key: 'never-created' })
    expect(status).toBe(404)
  })

  test('400/6 when an ID is longer than 255 characters', async () => {
    const parameters = { 'provider_user_ids[messaging]': 'x'.repeat(256) }
    expect(await stage.web_api.get('create_user', parameters)).toMatchObject(errorResponses.invalid_parameter)
  })
})

test('fifty concurrent creations with one primary_key create one user', async () => {
  const parameters = { primary_key: 'wanted-by-many' }
  const responses = await Promise.all(Array.from({ length: 50 }, () => stage.web_api.get('create_user', parameters)))
  const statuses = responses.map(({ status }) => status).sort()
  expect(statuses).toEqual([200, ...Array.from({ length: 49 }, () => 400)])
  const losers = responses.filter(({ status }) => status === 400)
  for (const loser of losers) expect(loser).toMatchObject(errorResponses.duplicated_primary_key)
})
