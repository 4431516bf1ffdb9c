import { expect, test } from 'vitest'
import { openForTest, passClockSteps } from '#testing'
import { errorResponses } from '../caller.ts'
import { timestampPattern, unknownIdentifier } from '../patterns.ts'
import { createTestUser, logInAs, setStage } from '../stage.ts'

const stage = setStage()

/** The Profile object of a user without data: all fields, without values. */
const nothingKnown = {
  uri: null,
  first_name: null,
  first_name_kana: null,
  first_name_kanji: null,
  middle_name: null,
  middle_name_kana: null,
  middle_name_kanji: null,
  last_name: null,
  last_name_kana: null,
  last_name_kanji: null,
  full_name: null,
  full_name_kana: null,
  full_name_kanji: null,
  user_name: null,
  verified: null,
  image_url: null,
  age_range_max: null,
  age_range_min: null,
  birthday: null,
  gender: null,
  relationship_status: null,
  blood_type: null,
  bio: null,
  quotes: null,
  website: null,
  graduated_school: null,
  graduated_school_type: null,
  graduated_year: null,
  graduated_concentration: null,
  job_company: null,
  job_position: null,
  location: null,
  location_id: null,
  location_jis_id: null,
  hometown: null,
  hometown_id: null,
  hometown_jis_id: null,
  postal_code: null,
  prefecture: null,
  city: null,
  street: null,
  last_updated_at: null,
  update_count: 0,
}

const nothingFollowed = { followed_by: null, following: null }

test('200 with every field empty for a user without data', async () => {
  const identifier = await createTestUser(stage.web_api)
  const { status, body } = await stage.web_api.get('profile', { identifier })
  expect(status).toBe(200)
  expect(body).toEqual({
    status: 'ok',
    user: {
      identifier,
      primary_key: null,
      mapped_at: null,
      last_logged_in_at: null,
      last_logged_in_provider: null,
      login_count: 0,
      created_at: timestampPattern,
      profile_prohibited: false,
    },
    profile: nothingKnown,
    follow: nothingFollowed,
    email: [],
    phone: [],
  })
})

test('200 with the data that the messaging provider supplied at the login', async () => {
  const identifier = await logInAs(stage, 'Hanako Yamada')
  const { body } = await stage.web_api.post('profile', { identifier })
  expect(body).toEqual({
    status: 'ok',
    user: expect.objectContaining({ identifier, login_count: 1 }),
    profile: {
      ...nothingKnown,
      user_name: 'Hanako Yamada',
      bio: expect.any(String),
      image_url: expect.stringMatching(/^http/),
      last_updated_at: timestampPattern,
      update_count: 1,
    },
    follow: nothingFollowed,
    email: [{ email: expect.stringContaining('@'), verified: expect.any(Boolean), media_id: 'messaging' }],
    phone: [],
  })
})

test('200 with delete_profile: returned once more, then deleted, but not prohibited', async () => {
  const identifier = await logInAs(stage, 'Saburo Ito')
  const { body: last } = await stage.web_api.get('profile', { identifier, delete_profile: 'yes' })
  expect(last).toMatchObject({ profile: { user_name: 'Saburo Ito' } })
  const { body: after } = await stage.web_api.get('profile', { identifier })
  expect(after).toMatchObject({ user: { profile_prohibited: false }, profile: nothingKnown, email: [] })
  await passClockSteps()
  await logInAs(stage, 'Saburo Ito')
  const { body: again } = await stage.web_api.get('profile', { identifier })
  expect(again).toMatchObject({ profile: { user_name: 'Saburo Ito' } })
})

test('200 with delete_profile=no: nothing is deleted', async () => {
  const identifier = await logInAs(stage, 'Goro Abe')
  await stage.web_api.get('profile', { identifier, delete_profile: 'no' })
  const { body } = await stage.web_api.get('profile', { identifier })
  expect(body).toMatchObject({ profile: { user_name: 'Goro Abe' } })
})

test('500/3 for a damaged profile, which other operations do not read; without its key, the profile is empty until the next login', async () => {
  const identifier = await logInAs(stage, 'Jiro Mori')
  const user = { site: stage.site.site, identifier }
  await using database = openForTest(stage.serviceStack.database_urls.profile)
  const { combined } = await database.knex('profiles').where(user).first('combined')
  const damaged = Buffer.from(combined, 'base64')
  damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 1
  await database
    .knex('profiles')
    .where(user)
    .update({ combined: JSON.stringify(damaged.toString('base64')) })
  expect(await stage.web_api.get('profile', { identifier })).toMatchObject(errorResponses.operation_failed)
  expect(await stage.web_api.get('user_attribute', { identifier })).toMatchObject({ status: 200 })

  await database.knex('personal_keys').where({ site: user.site, subject: identifier }).delete()
  expect(await stage.web_api.get('profile', { identifier })).toMatchObject({ body: { profile: { user_name: null } } })
  await logInAs(stage, 'Jiro Mori')
  expect(await stage.web_api.get('profile', { identifier })).toMatchObject({
    body: { profile: { user_name: 'Jiro Mori' } },
  })
})

test('404/7 for an unknown user, 400/5 without one', async () => {
  expect(await stage.web_api.get('profile', { identifier: unknownIdentifier })).toMatchObject(
    errorResponses.entity_not_found,
  )
  expect(await stage.web_api.get('profile', { delete_profile: 'y' })).toMatchObject(errorResponses.parameter_missing)
})
