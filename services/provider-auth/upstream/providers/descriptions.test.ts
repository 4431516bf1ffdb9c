import { describe, expect, test } from 'vitest'
import {
  type BuiltInLoginProvider,
  builtInLoginProviders,
  loginProviderDescriptions,
  type ProviderData,
} from '#contracts'
import { describedLogin, readOidcClaims } from '../../test/described-login.ts'
import { readClaims } from './read-claims.ts'

const name = { name: 'Hanako Yamada', given_name: 'Hanako', family_name: 'Yamada', picture: 'https://p.example/1.png' }
const email = { email: 'hanako@example.com', email_verified: true }

/** All data that a provider can send about an end user who filled in every field; a new provider needs one line. */
const full: [BuiltInLoginProvider, ProviderData][] = [
  [
    'messaging',
    readOidcClaims('messaging', {
      sub: 'U1',
      ...name,
      ...email,
      displayName: 'hana',
      pictureUrl: name.picture,
      statusMessage: 'Hello',
      given_name_pronunciation: 'ハナコ',
      middle_name: 'L',
      family_name_pronunciation: 'ヤマダ',
      gender: 'female',
      birthdate: '1986-04-01',
      phone_number: '+819011112222',
      address: { postal_code: '1028282', region: '東京都', locality: '千代田区', street_address: '紀尾井町1-3' },
    }),
  ],
  [
    'portal',
    readOidcClaims('portal', {
      sub: 'FQB',
      ...name,
      ...email,
      nickname: 'hana',
      gender: 'female',
      birthdate: '1986-04-01',
      'given_name#ja-Kana-JP': 'ハナコ',
      'given_name#ja-Hani-JP': '花子',
      'family_name#ja-Kana-JP': 'ヤマダ',
      'family_name#ja-Hani-JP': '山田',
      address: { postal_code: '1028282', region: '東京都', locality: '千代田区', street_address: '紀尾井町1-3' },
    }),
  ],
  [
    'social',
    readClaims(describedLogin('social', 'oauth2').protocol.user.claims, {
      id: '1',
      name: 'Ada Augusta King',
      first_name: 'Ada',
      middle_name: 'Augusta',
      last_name: 'King',
      email: email.email,
      gender: 'female',
      birthday: '12/10/1985',
      age_range: { min: 21, max: 30 },
      picture: { data: { url: name.picture } },
      link: 'https://profiles.example/1',
      location: { id: '1', name: 'London' },
      hometown: { id: '2', name: 'Paris' },
    }),
  ],
  [
    'microblog',
    readClaims(describedLogin('microblog', 'oauth1').protocol.users[0].claims, {
      id_str: '1',
      name: 'Hanako',
      screen_name: 'hana',
      description: 'Hello',
      location: 'Lima',
      verified: true,
      profile_image_url_https: name.picture,
      email: email.email,
      followers_count: 2,
      friends_count: 3,
      entities: { url: { urls: [{ url: 'https://t.example/1', expanded_url: 'https://blog.example/1' }] } },
    }),
  ],
  [
    'device',
    readOidcClaims('device', { sub: '001473.fe6f.1219', first_name: 'Hanako', last_name: 'Yamada', ...email }),
  ],
  ['search', readOidcClaims('search', { sub: '1', ...name, ...email, profile: 'https://profiles.example/1' })],
]

test('every login provider has an example', () => {
  expect(full.map(([provider]) => provider).sort()).toEqual([...builtInLoginProviders].sort())
})

describe.each(full)('%s', (provider, { profile, follow, email, phone }) => {
  test('its rules supply exactly what a complete response supplies', () => {
    const fields = Object.entries(profile).filter(([, value]) => value !== undefined)
    const supplied = [
      ...fields.map(([field]) => field),
      ...(follow === null ? [] : ['follow']),
      ...(email.length === 0 ? [] : ['email']),
      ...(phone.length === 0 ? [] : ['phone']),
    ]
    expect(supplied.sort()).toEqual([...loginProviderDescriptions[provider].supplies].sort())
  })
})
