import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { register, requireText } from '../simulator.ts'
import { client, consent, exchange, issuer, mint, newKeys, pem, setSimulator, simulator, spki } from './device.ts'

setSimulator()

describe('client secret', () => {
  test('is accepted for as long as six months', async () => {
    const clientSecret = await mint({ lasts: 15_777_000 })
    expect((await exchange(requireText((await consent('hanako')).code), { client_secret: clientSecret })).status).toBe(
      200,
    )
  })

  test.each<[string, () => Promise<string>]>([
    ['a secret that is not a token', async () => 'a-plain-secret'],
    ['another key', () => mint({ key: newKeys().privateKey })],
    ['another key id', () => mint({ header: { kid: 'KEY7654321' } })],
    ['another team', () => mint({ claims: { iss: 'TEAM654321' } })],
    ['another client', () => mint({ claims: { sub: 'com.example.other' } })],
    ['another audience', () => mint({ claims: { aud: `${issuer}/` } })],
    ['no exp', () => mint({ claims: { exp: undefined } })],
    ['no iat', () => mint({ claims: { iat: undefined } })],
    ['an expired exp', () => mint({ lasts: -1 })],
    ['a lifetime of a second more than six months', () => mint({ lasts: 15_777_001 })],
  ])('invalid_client for %s', async (_, secret) => {
    const rejected = await exchange(requireText((await consent('hanako')).code), { client_secret: await secret() })
    expect(rejected).toMatchObject({ status: 400, json: { error: 'invalid_client' } })
  })
})

test.each([
  ['public_key', { public_key: undefined }],
  ['public_key', { public_key: 'not a key' }],
  ['public_key', { public_key: { kty: 'EC', crv: 'P-384', x: 'a', y: 'b' } }],
  [
    'public_key',
    {
      public_key: generateKeyPairSync('ec', { namedCurve: 'P-384', privateKeyEncoding: pem, publicKeyEncoding: spki })
        .publicKey,
    },
  ],
  ['team_id', { team_id: undefined }],
  ['key_id', { key_id: '' }],
  ['notification_uri', { notification_uri: 'ftp://localhost/' }],
])('400 naming %s for a registration with %o', async (field, changes) => {
  const response = await register(simulator.url, { ...client, client_id: 'refused', ...changes })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error_description: expect.stringContaining(`${field}: `) })
})

test('a public key can be registered as a JWK', async () => {
  const publicKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
  expect((await register(simulator.url, { ...client, client_id: 'with-jwk', public_key: publicKey })).status).toBe(201)
})
