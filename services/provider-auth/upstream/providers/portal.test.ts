import { describe, expect, test } from 'vitest'
import { describedLogin, readOidcClaims, requestScopes } from '../../test/described-login.ts'

const portal = describedLogin('portal', 'oidc')
const { issuer } = portal.protocol

const nothing = { follow: null, email: [], phone: [] }

/** Userinfo, as recorded by public clients. */
const recorded = {
  sub: 'FQBSQOIDGW5PV4NHAAUY7BWAMU',
  name: '矢風太郎',
  given_name: '太郎',
  'given_name#ja-Kana-JP': 'タロウ',
  'given_name#ja-Hani-JP': '太郎',
  family_name: '矢風',
  'family_name#ja-Kana-JP': 'ヤフウ',
  'family_name#ja-Hani-JP': '矢風',
  gender: 'male',
  zoneinfo: 'Asia/Tokyo',
  locale: 'ja-JP',
  birthdate: '1986',
  nickname: 'やふ太郎',
  picture: 'https://p.example/1.png',
  email: 'yahoo@example.com',
  email_verified: true,
  address: {
    country: 'jp',
    postal_code: '1028282',
    region: '東京都',
    locality: '千代田区',
    street_address: '紀尾井町1-3',
    formatted: '東京都千代田区紀尾井町1-3',
  },
}

test('supplies names in three scripts, nickname, picture, gender, address and e-mail', () => {
  expect(readOidcClaims('portal', { iss: issuer, aud: ['dj00-'], ...recorded })).toEqual({
    profile: {
      full_name: '矢風太郎',
      first_name: '太郎',
      first_name_kana: 'タロウ',
      first_name_kanji: '太郎',
      last_name: '矢風',
      last_name_kana: 'ヤフウ',
      last_name_kanji: '矢風',
      full_name_kana: 'ヤフウ タロウ',
      full_name_kanji: '矢風 太郎',
      user_name: 'やふ太郎',
      image_url: 'https://p.example/1.png',
      gender: 1,
      postal_code: '1028282',
      prefecture: '東京都',
      city: '千代田区',
      street: '紀尾井町1-3',
    },
    follow: null,
    email: [{ email: 'yahoo@example.com', verified: true }],
    phone: [],
  })
})

test('supplies nothing from the ID Token', () => {
  const claims = {
    iss: issuer,
    sub: recorded.sub,
    aud: ['dj00-'],
    amr: ['pwd'],
    nonce: 'n',
    at_hash: 'x',
  }
  expect(readOidcClaims('portal', claims)).toEqual({ profile: {}, ...nothing })
})

const profileOf = (claims: object) => readOidcClaims('portal', { sub: '1', ...claims }).profile

describe('supplies', () => {
  test.each([
    ['1986', undefined],
    ['1986-04-01', '1986-04-01'],
    ['1986-02-30', undefined],
    ['0000-04-01', undefined],
    ['1986/04/01', undefined],
    ['', undefined],
    [1986, undefined],
  ])('the birthdate %j as the birthday %j', (birthdate, birthday) => {
    expect(profileOf({ birthdate }).birthday).toBe(birthday)
  })

  test.each([
    ['male', 1],
    ['female', 2],
    ['', undefined],
    ['unknown', undefined],
    [1, undefined],
  ])('the gender %j as %j', (gender, code) => {
    expect(profileOf({ gender }).gender).toBe(code)
  })

  test.each([
    ['', 'タロウ', undefined],
    ['ヤマダ', '', undefined],
    ['', '', undefined],
    ['ヤマダ', 'タロウ', 'ヤマダ タロウ'],
  ])('of the family name "%s" and the given name "%s" in kana the full name %j', (family, given, fullNameKana) => {
    const received = profileOf({ 'family_name#ja-Kana-JP': family, 'given_name#ja-Kana-JP': given })
    expect(received).toEqual({
      ...(family && { last_name_kana: family }),
      ...(given && { first_name_kana: given }),
      ...(fullNameKana && { full_name_kana: fullNameKana }),
    })
  })

  test.each([
    [true, true],
    ['true', true],
    [false, false],
    ['false', false],
    [1, false],
    [undefined, false],
  ])('email_verified %j as %j', (emailVerified, verified) => {
    const { email } = readOidcClaims('portal', {
      sub: '1',
      email: 'a@example.com',
      email_verified: emailVerified,
    })
    expect(email).toEqual([{ email: 'a@example.com', verified }])
  })

  test.each([
    [{ address: '東京都' }],
    [{ address: null }],
    [{ address: [] }],
    [{ address: { region: 7, locality: '' } }],
  ])('no address for %o, and all other items', (claims) => {
    expect(profileOf({ ...claims, nickname: 'taro' })).toEqual({ user_name: 'taro' })
  })
})

test('is requested with the granted scopes that it supports', () => {
  expect(requestScopes(portal, ['openid'])).toEqual(['openid'])
  expect(requestScopes(portal, ['openid', 'profile', 'email', 'address', 'phone'])).toEqual([
    'openid',
    'profile',
    'email',
    'address',
  ])
})
