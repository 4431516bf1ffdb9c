import { describe, expect, test } from 'vitest'
import { loginProviderDescriptions } from '#contracts'
import type { Scope } from '../../domain/scopes.ts'
import { describedLogin, listAddresses, requestScopes } from '../../test/described-login.ts'
import { providerHooks } from './hooks.ts'
import { readOwnError } from './oauth2-errors.ts'
import { addTokenProof } from './token-proof.ts'
import { buildUserAddress, readUserResource } from './user-resource.ts'

const social = describedLogin('social', 'oauth2')
const { description, protocol } = social

/** The response of `/me` to an application with every permission. */
const recorded = {
  id: '10215938475610293',
  name: 'Ada Augusta King',
  first_name: 'Ada',
  middle_name: 'Augusta',
  last_name: 'King',
  picture: { data: { height: 200, is_silhouette: false, url: 'https://p.example/1.jpg', width: 200 } },
  email: 'ada@example.com',
  age_range: { min: 21 },
  birthday: '12/10/1985',
  gender: 'female',
  link: 'https://www.facebook.com/app_scoped_user_id/abc/',
  location: { id: '106078429431815', name: 'London, United Kingdom' },
  hometown: { id: '114952118516947', name: 'San Francisco, California' },
}

const everyPermission = { options: { permissions: Object.keys(description.permissions ?? {}).join(',') } }
const dataOf = (received: object) =>
  readUserResource(protocol.user, description, { id: '1', ...received }, everyPermission).data
const profileOf = (received: object) => dataOf(received).profile

test('supplies names, picture, age range, birthday, gender, link, places and an e-mail address that is never verified', () => {
  expect(readUserResource(protocol.user, description, recorded, everyPermission)).toEqual({
    provider_user_id: '10215938475610293',
    data: {
      profile: {
        full_name: 'Ada Augusta King',
        first_name: 'Ada',
        middle_name: 'Augusta',
        last_name: 'King',
        image_url: 'https://p.example/1.jpg',
        age_range_min: 21,
        birthday: '1985-12-10',
        gender: 2,
        uri: ['https://www.facebook.com/app_scoped_user_id/abc/'],
        location: 'London, United Kingdom',
        location_id: '106078429431815',
        hometown: 'San Francisco, California',
        hometown_id: '114952118516947',
      },
      follow: null,
      email: [{ email: 'ada@example.com', verified: false }],
      phone: [],
      not_obtained: [],
    },
  })
})

test('supplies exactly what its description lists', () => {
  const fields = loginProviderDescriptions.social.supplies.filter((item) => item !== 'email')
  const supplied = Object.entries(profileOf({ ...recorded, age_range: { min: 21, max: 30 } }))
  expect(supplied.filter(([, value]) => value !== undefined).map(([field]) => field)).toEqual(
    expect.arrayContaining(fields),
  )
  expect(supplied).toHaveLength(fields.length)
})

test('supplies only the ID of an end user who declined everything', () => {
  expect(dataOf({})).toEqual({ profile: {}, follow: null, email: [], phone: [], not_obtained: [] })
})

describe('supplies', () => {
  test.each([
    ['12/10/1985', '1985-12-10'],
    ['02/30/1985', undefined],
    ['12/10', undefined],
    ['1985', undefined],
    ['1985-12-10', undefined],
    [1985, undefined],
  ])('the birthday %j as %j', (received, birthday) => {
    expect(profileOf({ birthday: received }).birthday).toBe(birthday)
  })

  test.each([
    ['male', 1],
    ['female', 2],
    ['custom', undefined],
    [1, undefined],
  ])('the gender %j as %j', (received, gender) => {
    expect(profileOf({ gender: received }).gender).toBe(gender)
  })

  test.each([
    [{ data: { url: 'https://p.example/1', is_silhouette: true } }, undefined],
    [{ data: { url: 'https://p.example/1' } }, 'https://p.example/1'],
    [{ data: {} }, undefined],
    ['https://p.example/1', undefined],
  ])('the picture %j as %j', (picture, imageUrl) => {
    expect(profileOf({ picture }).image_url).toBe(imageUrl)
  })

  test.each([
    [
      { min: 18, max: 20 },
      { age_range_min: 18, age_range_max: 20 },
    ],
    [{ min: 21 }, { age_range_min: 21 }],
    [{ min: '21', max: -1 }, {}],
    ['21+', {}],
  ])('the age range %j as %j', (ageRange, received) => {
    expect(profileOf({ age_range: ageRange })).toEqual(received)
  })

  test.each([
    [
      { id: '1', name: 'London' },
      { location: 'London', location_id: '1' },
    ],
    [{ name: 'London' }, { location: 'London' }],
    ['London', {}],
    [null, {}],
  ])('the location %j as %j', (location, received) => {
    expect(profileOf({ location })).toEqual(received)
  })
})

test.each([{}, { id: 1 }, { sub: '1' }, null, 'x', { error: { message: 'm', type: 'OAuthException', code: 190 } }])(
  '%j has no user',
  (response) => {
    expect(() => readUserResource(protocol.user, description, response, everyPermission)).toThrow()
  },
)

test('is requested for the granted scopes for which the site has the permission', () => {
  const without = { options: {} }
  const approved = { options: { permissions: 'user_gender,user_birthday' } }
  const fieldsOf = (granted: readonly Scope[], settings: typeof without) =>
    new URL(buildUserAddress(protocol.user, description, { granted, settings })).searchParams.get('fields')
  const names = 'id,name,first_name,middle_name,last_name,picture.type(large)'
  expect(requestScopes(social, ['openid'], approved)).toEqual(['public_profile'])
  expect(fieldsOf(['openid'], approved)).toBe('id')
  expect(requestScopes(social, ['openid', 'email', 'phone'], approved)).toEqual(['public_profile', 'email'])
  expect(fieldsOf(['openid', 'email', 'phone'], approved)).toBe('id,email')
  expect(requestScopes(social, ['openid', 'profile'], without)).toEqual(['public_profile'])
  expect(fieldsOf(['openid', 'profile'], without)).toBe(names)
  expect(requestScopes(social, ['openid', 'profile'], approved)).toEqual([
    'public_profile',
    'user_birthday',
    'user_gender',
  ])
  expect(fieldsOf(['openid', 'profile'], approved)).toBe(`${names},birthday,gender`)
})

test('items without a permission of the site are absent, not empty', () => {
  const approved = { options: { permissions: 'user_age_range,user_birthday,user_hometown,user_link' } }
  expect(readUserResource(protocol.user, description, recorded, approved).data.not_obtained).toEqual([
    'gender',
    'location',
    'location_id',
  ])
})

test('proves with every access token that it knows the secret: hex HMAC-SHA256 under it', () => {
  const proof = 'e941110e3d2bfe82621f0e3e1434730d7305d106c5f68c87165d0b27a4611a4a'
  const address = 'https://graph.facebook.com/v26.0/me?fields=id'
  const proven = addTokenProof(protocol, address, { accessToken: 'token', settings: { client_secret: 'secret' } })
  expect(proven).toBe(`${address}&appsecret_proof=${proof}`)
})

test.each([
  [{ error: { message: 'm', type: 'OAuthException', code: 190, error_subcode: 463 } }, 'OAuthException_190', true],
  [{ error: { message: 'm', type: 'OAuthException', code: 102 } }, 'OAuthException_102', true],
  [{ error: { message: 'm', type: 'OAuthException', code: 1 } }, 'OAuthException_1', false],
  [{ error: { message: 'm', type: 'OAuthException', code: 4 } }, 'OAuthException_4', false],
])('%j is the error %s, ends the grant: %s', (response, error, endsGrant) => {
  expect(readOwnError(response, protocol)).toEqual({ error, endsGrant })
})

test.each([{ error: 'invalid_grant' }, { error: {} }, {}, null, 'x'])(
  '%j is not an error response of this provider',
  (response) => {
    expect(readOwnError(response, protocol)).toBeUndefined()
  },
)

test('has one version in every URL, also at the simulator', () => {
  for (const address of listAddresses(social, undefined))
    expect(address).toMatch(/^https:\/\/(www|graph)\.facebook\.com\/v26\.0\//)
  for (const address of listAddresses(social, 'http://sim.example'))
    expect(address).toMatch(/^http:\/\/sim\.example\/social\/v26\.0\//)
})

test('an ID that the inspection of an access token has as a number keeps its digits', async () => {
  const id = '10212345678901235'
  const fetch = async (address: string) =>
    new Response(
      address.includes('debug_token') ? `{"data":{"is_valid":true,"app_id":1,"user_id":${id}}}` : `{"id":"${id}"}`,
    )
  const settings = { ...everyPermission, client_id: '1', client_secret: 's' }
  // What the adapter needs of settings and fetch.
  const read = providerHooks.social?.appAccessToken?.readUser('token', { fetch, settings, scope: [] } as never)
  expect(await read).toMatchObject({ provider_user_id: id })
})
