import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { ExtendedItem } from '../../domain/extended-items.ts'
import { scopes as allScopes } from '../../domain/scopes.ts'
import { describedLogin, readOidcClaims, requestScopes } from '../../test/described-login.ts'
import { listUnpermitted } from './provider-scopes.ts'
import { readClaims } from './read-claims.ts'

const messaging = describedLogin('messaging', 'oidc')
const social = describedLogin('social', 'oauth2')

const profilePlus = {
  given_name: '花子',
  given_name_pronunciation: 'ハナコ',
  middle_name: 'L',
  family_name: '山田',
  family_name_pronunciation: 'ヤマダ',
  gender: 'female',
  birthdate: '1990-01-01',
  phone_number: '+819011112222',
  address: {
    postal_code: '1028282',
    region: '東京都',
    locality: '千代田区',
    country: 'JP',
    street_address: '紀尾井町1-3\n2階',
  },
}
const nothing = { follow: null, email: [], phone: [] }

describe('messaging', () => {
  test('supplies display name, picture, status message, and an e-mail address that is never verified', () => {
    const claims = {
      iss: 'https://access.line.me',
      sub: 'U1',
      aud: '1',
      name: 'Hanako',
      picture: 'https://p.example/1',
      email: 'hanako@example.com',
      email_verified: true,
      userId: 'U1',
      displayName: 'Hanako',
      pictureUrl: 'https://p.example/1',
      statusMessage: 'hello',
    }
    expect(readOidcClaims('messaging', claims)).toEqual({
      profile: { user_name: 'Hanako', image_url: 'https://p.example/1', bio: 'hello' },
      follow: null,
      email: [{ email: 'hanako@example.com', verified: false }],
      phone: [],
    })
  })

  test('supplies the content of the ID Token if the profile could not be read', () => {
    const { profile } = readOidcClaims('messaging', {
      sub: 'U1',
      name: 'Hanako',
      picture: 'https://p.example/1',
    })
    expect(profile).toEqual({ user_name: 'Hanako', image_url: 'https://p.example/1' })
  })

  test('is requested with the granted scopes that it supports, and with `profile` if the friend status requires it', () => {
    expect(requestScopes(messaging, ['openid'])).toEqual(['openid'])
    expect(requestScopes(messaging, ['openid', 'profile', 'email', 'phone'])).toEqual(['openid', 'profile', 'email'])
    expect(requestScopes(messaging, ['openid'], { official_account: true })).toEqual(['openid', 'profile'])
  })

  test('LINE Profile+ is requested as far as it is approved, and as the scopes or the extended items name it', () => {
    const options = { permissions: 'real_name,gender,phone,address' }
    const request = (...[scopes, items]: [scopes: string, items?: readonly ExtendedItem[]]) =>
      requestScopes(
        messaging,
        scopes.split(' ').map((scope) => z.enum(allScopes).parse(scope)),
        { options, permitted: items },
      ).join(' ')
    expect(request('openid')).toBe('openid')
    expect(request('openid profile')).toBe('openid profile real_name gender')
    expect(request('openid phone address')).toBe('openid phone address')
    expect(request('openid profile email phone address', ['gender', 'birthdate'])).toBe('openid profile email gender')
    expect(request('openid profile', [])).toBe('openid profile')
  })

  test('LINE Profile+ supplies name, kana, gender, birthday, address, and a phone number that is not verified', () => {
    expect(readOidcClaims('messaging', { sub: 'U1', name: 'hana', ...profilePlus })).toEqual({
      profile: {
        user_name: 'hana',
        full_name: '山田 花子',
        full_name_kana: 'ヤマダ ハナコ',
        first_name: '花子',
        first_name_kana: 'ハナコ',
        last_name: '山田',
        last_name_kana: 'ヤマダ',
        middle_name: 'L',
        gender: 2,
        birthday: '1990-01-01',
        postal_code: '1028282',
        prefecture: '東京都',
        city: '千代田区',
        street: '紀尾井町1-3\n2階',
      },
      follow: null,
      email: [],
      phone: [{ number: '+819011112222', verified: false, type: 'phone' }],
    })
  })

  test.each([
    [{ gender: 'male' }, { gender: 1 }],
    [{ gender: '回答しない' }, { gender: 3 }],
    [{ gender: '' }, {}],
    [{ birthdate: '1990' }, {}],
    [{ birthdate: '1990-02-30' }, {}],
    [{ given_name: '花子', family_name: '' }, { first_name: '花子' }],
    [{ address: { postal_code: '', region: '大阪府', street_address: '' } }, { prefecture: '大阪府' }],
    [{ phone_number: '', address: '東京都' }, {}],
  ])('of the claims %j the profile %j', (claims, profile) => {
    const { phone, ...data } = readOidcClaims('messaging', { sub: 'U1', ...claims })
    expect({ profile: data.profile, phone }).toEqual({ profile, phone: [] })
  })

  test('a login that did not request an item says so, so that the stored one remains', () => {
    expect(listUnpermitted(messaging.description.permissions, ['openid', 'profile', 'real_name', 'address'])).toEqual([
      'gender',
      'birthday',
      'phone',
    ])
  })
})

describe('search', () => {
  test('supplies names, picture and e-mail address', () => {
    const claims = {
      sub: '1',
      name: 'Ada King',
      given_name: 'Ada',
      family_name: 'King',
      picture: 'https://p.example/1',
      email: 'ada@example.com',
      email_verified: true,
    }
    expect(readOidcClaims('search', claims)).toEqual({
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
  ])('email_verified %j becomes %j', (emailVerified, verified) => {
    const { email } = readOidcClaims('search', {
      sub: '1',
      email: 'ada@example.com',
      email_verified: emailVerified,
    })
    expect(email).toEqual([{ email: 'ada@example.com', verified }])
  })
})

describe.each([
  ...(['messaging', 'portal', 'search'] as const).map((provider) => ({
    provider,
    toProviderData: (claims: object) => readOidcClaims(provider, claims),
  })),
  {
    provider: 'social',
    toProviderData: (claims: object) => readClaims(social.protocol.user.claims, { id: '1', ...claims }),
  },
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
