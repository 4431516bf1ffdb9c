import fc from 'fast-check'
import { decodeProtectedHeader, importJWK, jwtVerify } from 'jose'
import { beforeAll, expect, test } from 'vitest'
import { providerNames } from '#contracts'
import type { RegisteredClient } from '../domain/client.ts'
import type { SigningAlgorithm } from '../domain/signing-algorithms.ts'
import type { SigningKeys } from '../domain/signing-keys.ts'
import { generateSigningKey } from '../openid/signing-keys/generate.ts'
import { type IdTokenLogin, signIdToken } from './id-token.ts'

const client: RegisteredClient = {
  client_id: 'shop',
  site: 1,
  name: 'shop',
  kind: 'confidential',
  pkce: 'optional',
  callback_by_domain: false,
  token_exchange: false,
  metadata_claims: [],
  consents_claim: false,
  user_metadata_write: false,
  response_types: ['code', 'id_token'],
  id_token_alg: 'ES256',
  redirect_uris: [],
  post_logout_redirect_uris: [],
}
const login: IdTokenLogin = {
  client,
  identifier: 'u1',
  primary_key: null,
  provider: 'messaging',
  provider_user_id: 'U1',
  nonce: null,
  auth_time: new Date(),
}
const issuer = 'https://login.example.com'

async function signingWith(alg: SigningAlgorithm) {
  const { kid, public_jwk, private_jwk } = await generateSigningKey(alg)
  const [privateKey, publicKey] = await Promise.all([importJWK(private_jwk, alg), importJWK(public_jwk, alg)])
  if (privateKey instanceof Uint8Array || publicKey instanceof Uint8Array) throw new Error('Not a key pair.')
  const set = () => ({ keys: [public_jwk] })
  const keys: SigningKeys = { active: () => ({ kid, alg, private_key: privateKey }), published: set, known: set }
  return {
    public_key: publicKey,
    deps: { signingKeys: keys, names: providerNames({ messaging: 'abc' }), auth_url: issuer },
  }
}

let signing: Awaited<ReturnType<typeof signingWith>>
beforeAll(async () => {
  signing = await signingWith('ES256')
})

async function signAndVerify(claims: Record<string, unknown>) {
  const idToken = await signIdToken(signing.deps, { ...login, claims })
  return (await jwtVerify(idToken, signing.public_key, { issuer, audience: 'shop', clockTolerance: 1 })).payload
}

test('names with any characters are unchanged', async () => {
  const name = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('"; </script>', '\u202eabc', '👩‍👩‍👧', '\u2028', '\\u0000', '{"alg":"none"}'),
  )
  await fc.assert(
    fc.asyncProperty(name, name, async (name, locality) => {
      const payload = await signAndVerify({ name, address: { locality } })
      expect([payload.name, payload.address]).toEqual([name, { locality }])
    }),
    { numRuns: 100 },
  )
})

test('claims of an end user never replace the token’s own claims', async () => {
  const own = { iss: 'x', sub: 'x', aud: 'x', provider: 'x', provider_uid: 'x' }
  expect(await signAndVerify(own)).toMatchObject({
    iss: issuer,
    sub: 'u1',
    aud: 'shop',
    provider: 'abc',
    provider_uid: 'U1',
  })
})

test.each(['RS256', 'ES256'] as const)(
  'at_hash of %s is that of the example in OpenID Connect Core A.4',
  async (alg) => {
    const { deps, public_key } = await signingWith(alg)
    const accessToken = 'jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y'
    const idToken = await signIdToken(deps, {
      ...login,
      client: { ...client, id_token_alg: alg },
      access_token: accessToken,
    })
    expect((await jwtVerify(idToken, public_key)).payload.at_hash).toBe('77QmUPtjPfzWtF2AnpK9RQ')
  },
)

test('an ID Token without an access token has no at_hash', async () => {
  expect(await signAndVerify({})).not.toHaveProperty('at_hash')
})

test.each(['RS256', 'ES256'] as const)('the header of %s has only the algorithm and kid', async (alg) => {
  const { deps } = await signingWith(alg)
  const header = decodeProtectedHeader(await signIdToken(deps, login))
  expect(header).toEqual({ alg, kid: expect.stringMatching(/^[\w-]{43}$/) })
})
