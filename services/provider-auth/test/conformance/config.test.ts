import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type ServiceStack, startStack } from '#testing'
import { readKeys } from './suite.ts'

const issuer = 'https://login.example.com'

let serviceStack: ServiceStack
beforeAll(async () => {
  serviceStack = await startStack({ providerAuthEnvironment: { AUTH_URL: issuer } })
})
afterAll(() => serviceStack[Symbol.asyncDispose]())

const https = z.url({ protocol: /^https$/ })
const words = z.array(z.string().min(1)).nonempty()
const containing = (word: string) => words.refine((list) => list.includes(word), `${word} is missing`)

/** The module's requirements for the metadata (OpenID Connect Discovery 3); further members are allowed. */
const Metadata = z.looseObject({
  issuer: https,
  authorization_endpoint: https,
  token_endpoint: https,
  userinfo_endpoint: https,
  jwks_uri: https,
  response_types_supported: words.refine((types) => types.includes('code') || types.includes('id_token')),
  response_modes_supported: words.optional(),
  grant_types_supported: words.optional(),
  subject_types_supported: words.refine((types) => types.every((type) => type === 'public' || type === 'pairwise')),
  id_token_signing_alg_values_supported: containing('RS256'),
  // RFC 6749 3.3: scope-token.
  scopes_supported: containing('openid').refine((scopes) =>
    scopes.every((name) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(name)),
  ),
  claims_supported: containing('sub'),
  token_endpoint_auth_methods_supported: containing('client_secret_basic'),
  code_challenge_methods_supported: containing('S256'),
  claims_parameter_supported: z.boolean().optional(),
  request_parameter_supported: z.boolean().optional(),
  // The default is true, so a provider without support must declare it.
  request_uri_parameter_supported: z.literal(false),
})

test('oidcc-discovery-endpoint-verification: the metadata conform to the standard, every URL is https', async () => {
  const response = await fetch(`${serviceStack.auth}/.well-known/openid-configuration`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^application\/json(;|$)/)
  const metadata = Metadata.parse(await response.json())
  expect(metadata.issuer).toBe(issuer)
  expect(metadata.id_token_signing_alg_values_supported).not.toContain('none')
  expect(JSON.stringify(metadata)).not.toContain('null')
})

test('oidcc-discovery-endpoint-verification: the keys are public, each with its own kid, one for RS256', async () => {
  const { keys } = await readKeys(`${serviceStack.auth}/oauth2/jwks`)
  expect(keys).toContainEqual(expect.objectContaining({ kty: 'RSA', alg: 'RS256', use: 'sig' }))
})
