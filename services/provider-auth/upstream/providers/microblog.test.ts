import { describe, expect, test } from 'vitest'
import type { Scope } from '../../domain/scopes.ts'
import { describedLogin, requestScopes } from '../../test/described-login.ts'
import { buildUserAddress, readUserResource } from './user-resource.ts'

const { description, protocol } = describedLogin('microblog', 'oauth1')
const withOAuth2 = describedLogin('microblog', 'oauth2')
const [user1] = protocol.users
const settings = { options: {} }
const parseAccountV1 = (body: unknown) => readUserResource(user1, description, body, settings)
const parseAccountV2 = (body: unknown) => readUserResource(withOAuth2.protocol.user, description, body, settings)

/** Responses for one account, from the provider's documentation and public clients. */
const recorded = {
  v1: {
    id: 2244994945,
    id_str: '2244994945',
    name: 'X Dev',
    screen_name: 'XDevelopers',
    location: '127.0.0.1',
    description: 'The voice of the developer community.',
    url: 'https://t.co/3ZX3TNiZCY',
    entities: {
      url: {
        urls: [
          {
            url: 'https://t.co/3ZX3TNiZCY',
            expanded_url: 'https://developer.x.com/en/community',
            display_url: 'developer.x.com/en/community',
            indices: [0, 23],
          },
        ],
      },
      description: { urls: [] },
    },
    protected: false,
    followers_count: 583423,
    friends_count: 2048,
    listed_count: 2672,
    created_at: 'Sat Dec 14 04:35:55 +0000 2013',
    verified: true,
    statuses_count: 14052,
    profile_image_url: 'http://pbs.twimg.com/profile_images/1/n_normal.jpg',
    profile_image_url_https: 'https://pbs.twimg.com/profile_images/1/n_normal.jpg',
    email: 'dev@example.com',
  },
  v2: {
    data: {
      id: '2244994945',
      name: 'X Dev',
      username: 'XDevelopers',
      location: '127.0.0.1',
      description: 'The voice of the developer community.',
      url: 'https://t.co/3ZX3TNiZCY',
      entities: {
        url: {
          urls: [
            {
              start: 0,
              end: 23,
              url: 'https://t.co/3ZX3TNiZCY',
              expanded_url: 'https://developer.x.com/en/community',
              display_url: 'developer.x.com/en/community',
            },
          ],
        },
        description: { hashtags: [{ start: 17, end: 28, tag: 'TwitterDev' }] },
      },
      profile_image_url: 'https://pbs.twimg.com/profile_images/1/n_normal.jpg',
      public_metrics: { followers_count: 583423, following_count: 2048, tweet_count: 14052, listed_count: 2672 },
      verified: true,
      verified_type: 'business',
      confirmed_email: 'dev@example.com',
    },
  },
}

const versions = [
  { version: '1.1', read: parseAccountV1, whole: recorded.v1, bare: { id_str: '1' } },
  { version: '2', read: parseAccountV2, whole: recorded.v2, bare: { data: { id: '1', name: '', username: '' } } },
]

describe.each(versions)('version $version', ({ read, whole, bare }) => {
  test('supplies names, picture, description, places, counts and a confirmed e-mail address', () => {
    expect(read(whole)).toEqual({
      provider_user_id: '2244994945',
      data: {
        profile: {
          user_name: 'XDevelopers',
          full_name: 'X Dev',
          image_url: 'https://pbs.twimg.com/profile_images/1/n_normal.jpg',
          bio: 'The voice of the developer community.',
          location: '127.0.0.1',
          website: ['https://developer.x.com/en/community'],
          uri: ['https://x.com/XDevelopers'],
          verified: true,
        },
        follow: { followed_by: 583423, following: 2048 },
        email: [{ email: 'dev@example.com', verified: true }],
        phone: [],
      },
    })
  })

  test('supplies only the ID of an account without other data', () => {
    const data = { profile: {}, follow: null, email: [], phone: [] }
    expect(read(bare)).toEqual({ provider_user_id: '1', data })
  })
})

/** Changes a field in both versions in the same way. */
const received = (changes: object) => [
  parseAccountV1({ id_str: '1', ...changes }).data,
  parseAccountV2({ data: { id: '1', ...changes } }).data,
]

describe('supplies', () => {
  test.each([
    ['the shortened link without an expanded URL', { url: 'https://t.co/a' }, ['https://t.co/a']],
    [
      'the shortened link with entities without links',
      { url: 'https://t.co/a', entities: { description: {} } },
      ['https://t.co/a'],
    ],
    [
      'it also of links without an end',
      { url: 'https://t.co/a', entities: { url: { urls: [{}] } } },
      ['https://t.co/a'],
    ],
    ['no website for nothing', { url: '', entities: {} }, undefined],
    ['no website for another type', { url: 7, entities: 'x' }, undefined],
  ])('%s', (_, changes, website) => {
    expect(received(changes).map(({ profile }) => profile.website)).toEqual([website, website])
  })

  test.each([
    [false, false],
    ['true', undefined],
    [null, undefined],
  ])('verified %j as %j', (verified, expected) => {
    expect(received({ verified }).map(({ profile }) => profile.verified)).toEqual([expected, expected])
  })

  test.each([null, -1, 1.5, '7', 2 ** 60])('no count for %j', (count) => {
    const [v1, v2] = [{ followers_count: count }, { public_metrics: { followers_count: count, following_count: 3 } }]
    expect(parseAccountV1({ id_str: '1', friends_count: 3, ...v1 }).data.follow).toEqual({
      followed_by: null,
      following: 3,
    })
    expect(parseAccountV2({ data: { id: '1', ...v2 } }).data.follow).toEqual({ followed_by: null, following: 3 })
  })

  test.each([null, '', 7])('no e-mail address for %j, which the provider sends for unconfirmed addresses', (email) => {
    expect(parseAccountV1({ id_str: '1', email }).data.email).toEqual([])
    expect(parseAccountV2({ data: { id: '1', confirmed_email: email } }).data.email).toEqual([])
  })

  test('names unchanged, except those that Postgres cannot store', () => {
    for (const name of ['"</script>\u202e', '\u{1f600}', '山田 太郎']) {
      expect(received({ name }).map(({ profile }) => profile.full_name)).toEqual([name, name])
    }
    for (const name of ['a\u0000b', '\ud800']) {
      expect(received({ name }).map(({ profile }) => profile.full_name)).toEqual([undefined, undefined])
    }
  })
})

test.each([{}, { id: 1 }, { data: {} }, { data: { id: 1 } }, { id_str: 1 }, [], null, 'x', undefined])(
  '%j has no user',
  (response) => {
    expect(() => parseAccountV1(response)).toThrow()
    expect(() => parseAccountV2(response)).toThrow()
  },
)

test('is requested to send an e-mail address only if the application requests it', () => {
  const addressesOf = (granted: readonly Scope[]) =>
    protocol.users.map((user) => buildUserAddress(user, description, { granted, settings }))
  expect(addressesOf(['openid', 'profile', 'email'])).toEqual([
    expect.stringContaining('include_email=true'),
    expect.stringContaining('confirmed_email'),
  ])
  expect(addressesOf(['openid', 'profile'])).toEqual([
    expect.stringContaining('include_email=false'),
    expect.not.stringContaining('confirmed_email'),
  ])
  expect(addressesOf(['openid', 'email'])[1]).toBe('https://api.x.com/2/users/me?user.fields=confirmed_email')
  const always = ['users.read', 'tweet.read', 'offline.access']
  expect(requestScopes(withOAuth2, ['openid'])).toEqual(always)
  expect(requestScopes(withOAuth2, ['openid', 'email', 'phone'])).toEqual([...always, 'users.email'])
})
