import { describe, expect, test } from 'vitest'
import { messagingDescription } from './messaging.ts'
import { portalDescription } from './portal.ts'
import { searchDescription } from './search.ts'
import { socialDescription } from './social.ts'

const nothing = { follow: null, email: [], phone: [] }

describe('messaging', () => {
  test('supplies display name, picture, status message, and an e-mail address that is never verified (BR-11)', () => {
    const claims = {
      ...{ iss: 'https://access.line.me', sub: 'U1', aud: '1', name: 'Hanako', picture: 'https://p.example/1' },
      ...{ email: 'hanako@example.com', email_verified: true },
      ...{ userId: 'U1', displayName: 'Hanako', pictureUrl: 'https://p.example/1', statusMessage: 'hello' },
    }
    expect(messagingDescription.toProviderData(claims)).toEqual({
      profile: { user_name: 'Hanako', image_url: 'https://p.example/1', bio: 'hello' },
      follow: null,
      email: [{ email: 'hanako@example.com', verified: false }],
      phone: [],
    })
  })

  test('supplies the content of the ID Token if the profile could not be read', () => {
    const { profile } = messagingDescription.toProviderData({
      sub: 'U1',
      name: 'Hanako',
      picture: 'https://p.example/1',
    })
    expect(profile).toEqual({ user_name: 'Hanako', image_url: 'https://p.example/1' })
  })

  test('is requested with the granted scopes that it supports, and with `profile` if the friend status requires it', () => {
    const settings = { official_account: false }
    expect(messagingDescription.toProviderScopes(['openid'], settings)).toEqual(['openid'])
    expect(messagingDescription.toProviderScopes(['openid', 'profile', 'email', 'phone'], settings)).toEqual([
      ...['openid', 'profile', 'email'],
    ])
    expect(messagingDescription.toProviderScopes(['openid'], { official_account: true })).toEqual(['openid', 'profile'])
  })
})

describe('search', () => {
  test('supplies names, picture and e-mail address', () => {
    const claims = {
      ...{ sub: '1', name: 'Ada King', given_name: 'Ada', family_name: 'King', picture: 'https://p.example/1' },
      ...{ email: 'ada@example.com', email_verified: true },
    }
    expect(searchDescription.toProviderData(claims)).toEqual({
      profile: { full_name: 'Ada King', first_name: 'Ada', last_name: 'King', image_url: 'https://p.example/1' },
      follow: null,
      email: [{ email: 'ada@example.com', verified: true }],
      phone: [],
    })
  })

  test.each([
    [true, true],
    ['true', true],
    [false, false],
    ['false', false],
    [1, false],
    ['yes', false],
    [undefined, false],
  ])('BR-11 email_verified %j becomes %j', (emailVerified, verified) => {
    const { email } = searchDescription.toProviderData({
      sub: '1',
      email: 'ada@example.com',
      email_verified: emailVerified,
    })
    expect(email).toEqual([{ email: 'ada@example.com', verified }])
  })
})

/** Returns the provider data for claims of the end user with the ID `1`. */
const socialData = (claims: object) => {
  // Another test covers items without a permission of the site.
  const { not_obtained: _, ...data } = socialDescription.userResource.read({ id: '1', ...claims }, { options: {} }).data
  return data
}

describe.each([
  messagingDescription,
  portalDescription,
  searchDescription,
  { provider: 'social', toProviderData: socialData },
])('$provider', ({ toProviderData }) => {
  test('supplies names unchanged, except those that Postgres cannot store', () => {
    const names = ['"</script>\u202e', '\u{1f600}', '山田 太郎', 'a\u0000b', '\ud800']
    const received = names.map((name) =>
      JSON.stringify(toProviderData({ sub: '1', name }).profile).includes(JSON.stringify(name)),
    )
    expect(received).toEqual([true, true, true, false, false])
  })

  test('supplies nothing when claims are absent, empty or of another type', () => {
    expect(toProviderData({ sub: '1' })).toEqual({ profile: {}, ...nothing })
    expect(
      toProviderData({ sub: '1', name: 7, picture: {}, email: ['a'], given_name: '', statusMessage: null }),
    ).toEqual({
      profile: {},
      ...nothing,
    })
  })
})
