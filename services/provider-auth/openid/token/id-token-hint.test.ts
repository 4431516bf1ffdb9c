import { importJWK, SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { generateSigningKey } from '../signing-keys/generate.ts'
import { verifyIdTokenHint } from './id-token-hint.ts'

const authUrl = 'https://login.example.com'
const claims = { iss: authUrl, aud: 'client', sub: 'user', exp: 1_000 }
const [served, foreign] = await Promise.all([generateSigningKey('ES256'), generateSigningKey('ES256')])
const keys = {
  active: (): never => {
    throw new Error('A hint is not signed.')
  },
  published: () => ({ keys: [] }),
  known: () => ({ keys: [served.public_jwk] }),
}

async function hintOf(changes: object, { kid, private_jwk } = served): Promise<string> {
  const key = await importJWK(private_jwk, 'ES256')
  return new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg: 'ES256', kid }).sign(key)
}
const read = (hint: string | undefined) =>
  verifyIdTokenHint(hint, 'client', { signingKeys: keys, hosts: { isIssuer: (issuer) => issuer === authUrl } })

test('an expired ID Token with a withdrawn key identifies the user', async () => {
  expect(await read(await hintOf({}))).toBe('user')
})

test('without a hint there is no user', async () => {
  expect(await read(undefined)).toBeNull()
})

test.each([
  ['another issuer', { iss: 'https://other.example.com' }],
  ['another client', { aud: 'other' }],
  ['several clients', { aud: ['client', 'other'] }],
  ['no subject', { sub: undefined }],
])('a token of %s is rejected', async (_, changes) => {
  expect(await read(await hintOf(changes))).toBeUndefined()
})

test('a token of an unknown key is rejected, with any kid', async () => {
  expect(await read(await hintOf({}, foreign))).toBeUndefined()
  expect(await read(await hintOf({}, { ...foreign, kid: served.kid }))).toBeUndefined()
})
