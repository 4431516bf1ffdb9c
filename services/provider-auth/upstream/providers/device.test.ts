import { decodeJwt, decodeProtectedHeader, importSPKI, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { deviceKey } from '../../../../testing/device-key.ts'
import type { Claims } from '../../domain/provider-claims.ts'
import { describedLogin, readOidcClaims } from '../../test/described-login.ts'
import { readCallbackClaims } from './callback-claims.ts'
import { signClientSecret } from './signed-secret.ts'

const { protocol } = describedLogin('device', 'oidc')

/** Claims of an ID Token, as recorded by public clients. */
const recorded: Claims = {
  iss: 'https://appleid.apple.com',
  aud: 'com.example.shop',
  exp: 1_763_800_000,
  iat: 1_763_713_600,
  sub: '001473.fe6f1ab6b5b74b5c8dbbc0a0b6c5b4a9.1219',
  nonce: 'n-1',
  at_hash: 'bbw8BQxJ0vKjW5cnGvOqRg',
  email: 'hanako@example.com',
  email_verified: 'true',
  auth_time: 1_763_713_599,
  nonce_supported: true,
}

/** Returns the data that a login with the parameter `user` supplies. */
function supply(user: string | undefined, changes: Claims = {}) {
  const returned = new URLSearchParams({ code: 'c', state: 's', ...(user !== undefined && { user }) })
  return readOidcClaims('device', {
    ...readCallbackClaims(protocol, returned),
    ...recorded,
    ...changes,
  })
}

const nothing = { profile: {}, follow: null, email: [], phone: [] }
const email = [{ email: 'hanako@example.com', verified: true }]
const first = '{"name":{"firstName":"Hanako","lastName":"Yamada"},"email":"hanako@example.com"}'

describe('the name', () => {
  test('is supplied by the first consent', () => {
    expect(supply(first)).toEqual({
      ...nothing,
      email,
      not_obtained: [],
      profile: { full_name: 'Hanako Yamada', first_name: 'Hanako', last_name: 'Yamada' },
    })
  })

  test.each([
    ['a later login', undefined],
    ['an empty user, as has been seen', '{}'],
    ['a user without a name', '{"email":"hanako@example.com"}'],
    ['a name that is empty', '{"name":{"firstName":"","lastName":""}}'],
  ])('is absent for %s, which is not the same as an empty one', (_, user) => {
    expect(supply(user)).toEqual({ ...nothing, email, not_obtained: ['full_name', 'first_name', 'last_name'] })
  })

  test.each([
    ['{"name":{"firstName":"Hanako"}}', { full_name: 'Hanako', first_name: 'Hanako' }],
    ['{"name":{"firstName":"","lastName":"Yamada"}}', { full_name: 'Yamada', last_name: 'Yamada' }],
  ])('can be incomplete: %s', (user, profile) => {
    expect(supply(user).profile).toEqual(profile)
  })
})

describe('the e-mail address', () => {
  test.each<[unknown, boolean]>([
    [true, true],
    ['true', true],
    [false, false],
    ['false', false],
    [undefined, false],
  ])('with email_verified %j is verified: %s', (emailVerified, verified) => {
    expect(supply(undefined, { email_verified: emailVerified }).email).toEqual([
      { email: 'hanako@example.com', verified },
    ])
  })

  test('can be a relay address', () => {
    const received = { email: 'dpdcnf87nu@privaterelay.appleid.com', is_private_email: 'true' }
    expect(supply(undefined, received).email).toEqual([{ email: received.email, verified: true }])
  })

  test('is absent if it was not requested', () => {
    expect(supply(first, { email: undefined, email_verified: undefined })).toMatchObject({
      email: [],
      not_obtained: ['email'],
    })
  })

  test('comes from the ID Token, never from the browser', () => {
    expect(supply('{"email":"victim@bank.example"}').email).toEqual(email)
    expect(supply('{"email":"victim@bank.example"}', { email: undefined }).email).toEqual([])
  })
})

test('the real endpoints', () => {
  expect(protocol).toMatchObject({
    issuer: 'https://appleid.apple.com',
    endpoints: {
      authorization: 'https://appleid.apple.com/auth/authorize',
      token: 'https://appleid.apple.com/auth/token',
    },
    idToken: { alg: 'RS256', jwks: 'https://appleid.apple.com/auth/keys' },
  })
})

test('each request has a new client secret: valid for five minutes, issued by the team about the client for the provider', async () => {
  const settings = { client_id: 'com.example.shop', client_secret: deviceKey.private_key, options: deviceKey.options }
  const secret = await signClientSecret(settings, protocol.issuer)
  await jwtVerify(secret, await importSPKI(deviceKey.public_key, 'ES256'), { algorithms: ['ES256'] })
  expect(decodeProtectedHeader(secret)).toEqual({ alg: 'ES256', kid: 'KEY1234567' })
  const { iat = 0, ...claims } = decodeJwt(secret)
  expect(claims).toEqual({ iss: 'TEAM123456', sub: 'com.example.shop', aud: protocol.issuer, exp: iat + 300 })
})
