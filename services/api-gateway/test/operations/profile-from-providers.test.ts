import { expect, test } from 'vitest'
import { refused } from '../caller.ts'
import { aTimestamp, nobody } from '../patterns.ts'
import { createUser, logInAs, logInAtBoth, setStage } from '../stage.ts'

const stage = setStage()
const nothingFollowed = { followed_by: null, following: null }

test('200 with what each provider supplied, the messaging provider’s with the friend status', async () => {
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
        friendship_status_updated_at: aTimestamp,
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

test('200 with what the social provider supplied, without friend status and without the fields nobody asked for', async () => {
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

test('200 with one key for each requested provider, an empty object for one that is not linked', async () => {
  const identifier = await logInAs(stage, 'Taro Tanaka')
  const ask = async (targetProvider: string) =>
    (await stage.web_api.post('profile_from_providers', { identifier, target_provider: targetProvider })).body
  expect(await ask('search')).toEqual({ status: 'ok', search: {} })
  expect(await ask('shopping,search_legacy,search')).toEqual({
    status: 'ok',
    shopping: {},
    search_legacy: {},
    search: {},
  })
  expect(await ask('search,search')).toEqual({ status: 'ok', search: {} })
  expect(Object.keys((await ask('messaging')) as object)).toEqual(['status', 'messaging'])
})

test('200 with an object without anything in it for a linked provider that supplied nothing', async () => {
  const identifier = await createUser(stage.web_api, {
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
    const answer = await stage.web_api.get('profile_from_providers', {
      identifier: nobody,
      target_provider: targetProvider,
    })
    expect(answer).toMatchObject(refused.invalid_parameter)
  },
)

test('400/5 without target_provider or a user, before 400/6; 404/7 when there is no such user', async () => {
  const ask = (parameters: Record<string, string>) => stage.web_api.get('profile_from_providers', parameters)
  expect(await ask({ identifier: nobody })).toMatchObject(refused.parameter_missing)
  expect(await ask({ target_provider: 'nowhere' })).toMatchObject(refused.parameter_missing)
  expect(await ask({ identifier: nobody, target_provider: '' })).toMatchObject(refused.parameter_missing)
  expect(await ask({ identifier: nobody, target_provider: 'search' })).toMatchObject(refused.entity_not_found)
})
