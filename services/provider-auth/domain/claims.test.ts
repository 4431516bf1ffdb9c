import { expect, test } from 'vitest'
import type { ProviderData } from '#contracts'
import * as claims from './claims.ts'

const obtainedAt = new Date('2025-01-02T03:04:05.600Z')
const toClaims = (data: ProviderData, scope: readonly string[]) => claims.toClaims(data, scope, obtainedAt)

const unknownUser: ProviderData = { profile: {}, follow: null, email: [], phone: [] }
const providerData: ProviderData = {
  profile: {
    full_name: '山田 太郎',
    user_name: 'taro',
    first_name: '太郎',
    last_name: '山田',
    middle_name: null,
    image_url: 'https://example.com/taro.png',
    website: ['https://taro.example', 'https://second.example'],
    gender: 1,
    birthday: '1990-04-01',
    postal_code: '100-0001',
    prefecture: '東京都',
    city: '千代田区',
    street: '千代田1-1',
  },
  follow: { followed_by: 1, following: 2 },
  email: [
    { email: 'taro@example.com', verified: true },
    { email: 'second@example.com', verified: false },
  ],
  phone: [{ number: '+81312345678', verified: false, type: 'phone' }],
}

test('profile: the claims of OpenID Connect Core 5.4; data that was not sent is absent', () => {
  expect(toClaims(providerData, ['openid', 'profile'])).toEqual({
    name: '山田 太郎',
    given_name: '太郎',
    family_name: '山田',
    nickname: 'taro',
    preferred_username: 'taro',
    updated_at: 1_735_787_045,
    picture: 'https://example.com/taro.png',
    website: 'https://taro.example',
    gender: 'male',
    birthdate: '1990-04-01',
  })
})

test('profile: names in kana and kanji have the tags of OpenID Connect Core 5.2', () => {
  const profile = {
    full_name: 'Hanako Yamada',
    full_name_kana: 'ヤマダ ハナコ',
    full_name_kanji: '山田 花子',
    first_name_kana: 'ハナコ',
    first_name_kanji: '花子',
    last_name_kana: 'ヤマダ',
    last_name_kanji: '山田',
    middle_name_kana: 'エル',
    middle_name_kanji: null,
  }
  expect(toClaims({ ...unknownUser, profile }, ['profile'])).toEqual({
    name: 'Hanako Yamada',
    'name#ja-Kana-JP': 'ヤマダ ハナコ',
    'name#ja-Hani-JP': '山田 花子',
    'given_name#ja-Kana-JP': 'ハナコ',
    'given_name#ja-Hani-JP': '花子',
    'family_name#ja-Kana-JP': 'ヤマダ',
    'family_name#ja-Hani-JP': '山田',
    'middle_name#ja-Kana-JP': 'エル',
    updated_at: 1_735_787_045,
  })
  expect(toClaims({ ...unknownUser, profile }, ['openid', 'email', 'address', 'phone'])).toEqual({})
})

test('email, address, phone: each scope adds only its own claims', () => {
  expect(toClaims(providerData, ['openid', 'email'])).toEqual({ email: 'taro@example.com', email_verified: true })
  expect(toClaims(providerData, ['openid', 'phone'])).toEqual({
    phone_number: '+81312345678',
    phone_number_verified: false,
  })
  expect(toClaims(providerData, ['openid', 'address'])).toEqual({
    address: { postal_code: '100-0001', region: '東京都', locality: '千代田区', street_address: '千代田1-1' },
  })
})

test('openid without other scopes adds no claims', () => {
  expect(toClaims(providerData, ['openid'])).toEqual({})
})

test('without data claims are absent, not empty', () => {
  expect(toClaims(unknownUser, ['openid', 'profile', 'email', 'address', 'phone'])).toEqual({})
})

test('a user name replaces a missing name', () => {
  expect(toClaims({ ...unknownUser, profile: { user_name: 'taro' } }, ['profile'])).toEqual({
    name: 'taro',
    nickname: 'taro',
    preferred_username: 'taro',
    updated_at: 1_735_787_045,
  })
})

test.each([
  [1, 'male'],
  [2, 'female'],
  [3, 'other'],
  [9, undefined],
  [null, undefined],
])('gender %s is %s', (gender, claim) => {
  expect(toClaims({ ...unknownUser, profile: { gender } }, ['profile']).gender).toBe(claim)
})
