import { expect, test } from 'vitest'
import { errorResponses } from '../caller.ts'
import { timestampPattern, unknownIdentifier } from '../patterns.ts'
import { createTestUser, logInAs, logInAtBoth, setStage } from '../stage.ts'

const stage = setStage()
const nothingFollowed = { followed_by: null, following: null }

test('200 with the data of each provider, for messaging with the friend status', async () => {
  const identifier = await logInAtBoth(stage, 'Hanako Yamada')
  const { status, body } = await stage.web_api.get('profile_from_providers', {
    identifier,
    target_provider: 'messaging,search',
  })
  expect(status).toBe(200)
  expect(body).toEqual({
    status: 'ok',
    messaging: {
      profile: {
        user_name: 'Hanako Yamada',
        bio: expect.any(String),
        image_url: expect.stringMatching(/^http/),
        friendship_status: expect.any(Boolean),
        friendship_status_updated_at: timestampPattern,
      },
      follow: nothingFollowed,
      email: [{ email: expect.stringContaining('@') }],
      phone: [],
    },
    search: {
      profile: expect.objectContaining({ full_name: 'Hanako Yamada' }),
      follow: nothingFollowed,
      email: [{ email: expect.stringContaining('@') }],
      phone: [],
    },
  })
  const { profile } = (body as { search: { profile: object } }).search
  expect(profile).not.toHaveProperty('friendship_status')
})

test('200 with the data of the social provider, without friend status and unrequested fields', async () => {
  const identifier = await logInAs(stage, 'Ada Augusta King', 'social')
  const { body } = await stage.web_api.get('profile_from_providers', { identifier, target_provider: 'social' })
  expect(body).toEqual({
    status: 'ok',
    social: {
      profile: {
        full_name: 'Ada Augusta King',
        first_name: 'Ada',
        middle_name: 'Augusta',
        last_name: 'King',
        image_url: expect.stringMatching(/^http/),
      },
      follow: nothingFollowed,
      email: [{ email: expect.stringContaining('@') }],
      phone: [],
    },
  })
})

test('200 with one key per requested provider, an empty object for one that is not linked', async () => {
  const identifier = await logInAs(stage, 'Taro Tanaka')
  const request = async (targetProvider: string) =>
    (await stage.web_api.post('profile_from_providers', { identifier, target_provider: targetProvider })).body
  expect(await request('search')).toEqual({ status: 'ok', search: {} })
  expect(await request('shopping,search_legacy,search')).toEqual({
    status: 'ok',
    shopping: {},
    search_legacy: {},
    search: {},
  })
  expect(await request('search,search')).toEqual({ status: 'ok', search: {} })
  expect(Object.keys((await request('messaging')) as object)).toEqual(['status', 'messaging'])
})

test('200 with an object without values for a linked provider that supplied nothing', async () => {
  const identifier = await createTestUser(stage.web_api, {
    'provider_user_ids[messaging]': 'U-supplied-nothing',
    'provider_user_ids[search]': '1234',
  })
  const { body } = await stage.web_api.get('profile_from_providers', {
    identifier,
    target_provider: 'search,messaging',
  })
  const nothing = { follow: nothingFollowed, email: [], phone: [] }
  expect(body).toEqual({
    status: 'ok',
    search: { profile: {}, ...nothing },
    messaging: { profile: { friendship_status: null, friendship_status_updated_at: null }, ...nothing },
  })
})

test.each(['Messaging', 'messaging,', ',', 'messaging search', 'nowhere', '__proto__', 'microblog_x'])(
  '400/6 when target_provider is %j',
  async (targetProvider) => {
    const response = await stage.web_api.get('profile_from_providers', {
      identifier: unknownIdentifier,
      target_provider: targetProvider,
    })
    expect(response).toMatchObject(errorResponses.invalid_parameter)
  },
)

test('400/5 without target_provider or a user, before 400/6; 404/7 for an unknown user', async () => {
  const request = (parameters: Record<string, string>) => stage.web_api.get('profile_from_providers', parameters)
  expect(await request({ identifier: unknownIdentifier })).toMatchObject(errorResponses.parameter_missing)
  expect(await request({ target_provider: 'nowhere' })).toMatchObject(errorResponses.parameter_missing)
  expect(await request({ identifier: unknownIdentifier, target_provider: '' })).toMatchObject(
    errorResponses.parameter_missing,
  )
  expect(await request({ identifier: unknownIdentifier, target_provider: 'search' })).toMatchObject(
    errorResponses.entity_not_found,
  )
})
