import { describe, expect, test } from 'vitest'
import { readParameters } from '#http'
import { getReturnableState } from '../../response/redirect-location.ts'
import { describedLogin } from '../../test/described-login.ts'
import {
  findRequestError,
  getResponseMode,
  parseRequest,
  type RequestToValidate,
  requestChecks,
} from './validate-request.ts'

const codeFlow = {
  client_id: 'c',
  redirect_uri: 'https://shop.example.com/callback',
  response_type: 'code',
  scope: 'openid',
  state: 's',
}
const idTokenFlow = { ...codeFlow, response_type: 'id_token', nonce: 'n' }
const s256 = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

type Fields = Record<string, string | undefined>

function query(fields: Fields, tail = ''): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) parameters.set(name, value)
  return parameters.toString() + tail
}

const flows: RequestToValidate['client']['response_types'] = ['code', 'id_token']
const usual = { response_types: flows, user_metadata_write: false } as const
const optional = { kind: 'confidential', pkce: 'optional', ...usual } as const

function build(
  fields: Fields,
  { client = optional, tail = '' }: { client?: RequestToValidate['client']; tail?: string } = {},
): RequestToValidate {
  return {
    ...readParameters(query(fields, tail)),
    client,
    passedParameters: describedLogin('messaging', 'oidc').protocol.passedParameters ?? {},
    hintedIdentifier: null,
  }
}

/** For each check: a request that violates exactly this rule. */
const invalidRequests: [error: string, error_description: string, request: RequestToValidate][] = [
  ['request_not_supported', 'request is not supported.', build({ ...codeFlow, request: 'e30.e30.' })],
  [
    'request_uri_not_supported',
    'request_uri is not supported.',
    build({ ...codeFlow, request_uri: 'https://shop.example.com/r' }),
  ],
  ['registration_not_supported', 'registration is not supported.', build({ ...codeFlow, registration: '{}' })],
  ['invalid_request', 'A parameter is repeated.', build(codeFlow, { tail: '&scope=openid' })],
  ['unsupported_response_type', 'Unsupported response_type.', build({ ...codeFlow, response_type: 'token' })],
  [
    'unauthorized_client',
    'The client may not use this response_type.',
    build(idTokenFlow, { client: { ...optional, response_types: ['code'] } }),
  ],
  ['invalid_scope', 'openid scope is required.', build({ ...codeFlow, scope: 'profile' })],
  ['invalid_scope', 'scope is invalid.', build({ ...codeFlow, scope: 'openid offline_access' })],
  [
    'invalid_request',
    'When response_type includes id_token, nonce is required.',
    build({ ...idTokenFlow, nonce: undefined }),
  ],
  ['invalid_request', 'code_challenge format is invalid.', build({ ...codeFlow, code_challenge: 'short' })],
  [
    'invalid_request',
    'Unsupported code_challenge_method.',
    build({ ...codeFlow, code_challenge: s256, code_challenge_method: 's256' }),
  ],
  [
    'invalid_request',
    'code_challenge_method requires code_challenge.',
    build({ ...codeFlow, code_challenge_method: 'S256' }),
  ],
  [
    'invalid_request',
    'code_challenge is required.',
    build(codeFlow, { client: { kind: 'confidential', pkce: 'required', ...usual } }),
  ],
  [
    'invalid_request',
    'code_challenge_method must be S256.',
    build({ ...codeFlow, code_challenge: s256 }, { client: { kind: 'confidential', pkce: 'S256', ...usual } }),
  ],
  ['invalid_request', 'response_mode is invalid.', build({ ...codeFlow, response_mode: 'fragment' })],
  ['invalid_request', 'prompt is invalid.', build({ ...codeFlow, prompt: 'maybe' })],
  ['invalid_request', 'bot_prompt is invalid.', build({ ...codeFlow, bot_prompt: 'loud' })],
  ['invalid_request', 'disable_auto_login is invalid.', build({ ...codeFlow, disable_auto_login: 'false' })],
  ['invalid_request', 'max_age is invalid.', build({ ...codeFlow, max_age: '-1' })],
  ['invalid_request', 'id_token_hint is invalid.', { ...build(codeFlow), hintedIdentifier: undefined }],
  ['invalid_request', 'nonce is too long.', build({ ...codeFlow, nonce: 'n'.repeat(513) })],
  ['invalid_request', 'login_hint is too long.', build({ ...codeFlow, login_hint: 'l'.repeat(513) })],
  ['invalid_request', 'ui_locales is too long.', build({ ...codeFlow, ui_locales: 'ja '.repeat(171) })],
  ['invalid_request', 'acr_values is too long.', build({ ...codeFlow, acr_values: 'a'.repeat(513) })],
  ['invalid_request', 'id_token_hint is too long.', build({ ...codeFlow, id_token_hint: 'h'.repeat(8_193) })],
  ['invalid_request', 'state is too long.', build({ ...codeFlow, state: 's'.repeat(2_049) })],
]

describe('the redirect errors', () => {
  test('are exactly these, in this order', () => {
    const received = requestChecks.map(({ error, error_description }) => [error, error_description])
    expect(received).toEqual(invalidRequests.map(([error, errorDescription]) => [error, errorDescription]))
  })

  test.each(invalidRequests)('%s: %s', (error, errorDescription, request) => {
    expect(findRequestError(request)).toEqual({ error, error_description: errorDescription })
  })

  test('have descriptions with only the characters that RFC 6749 allows', () => {
    for (const { error_description } of requestChecks)
      expect(error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
  })
})

/** Errors that can occur together in one request. */
const faults: Fields[] = [
  { response_type: 'token' },
  { scope: 'profile' },
  { scope: 'openid gold' },
  { nonce: undefined },
  { code_challenge: 'short' },
  { code_challenge_method: 'S512' },
  { request: 'e30.e30.' },
  { request_uri: 'https://shop.example.com/r' },
  { registration: '{}' },
  { response_mode: 'web_message' },
  { prompt: 'maybe' },
  { max_age: '1.5' },
  { bot_prompt: 'loud' },
  { disable_auto_login: 'no' },
  { state: 's'.repeat(2_049) },
]

test('of two errors in one request, the first one in the table is returned', () => {
  const order = requestChecks.map(({ error_description }) => error_description)
  const placeOf = (fault: Fields) => {
    const found = findRequestError(build({ ...idTokenFlow, ...fault }))
    return found === undefined ? Number.POSITIVE_INFINITY : order.indexOf(found.error_description)
  }
  for (const [index, first] of faults.entries()) {
    for (const second of faults.slice(index + 1)) {
      if (Object.keys(first).some((name) => name in second)) continue
      const earlier = Math.min(placeOf(first), placeOf(second))
      expect(placeOf({ ...first, ...second }), JSON.stringify([first, second])).toBe(earlier)
    }
  }
})

describe('a request', () => {
  test.each([
    ['of the code flow', codeFlow],
    ['of the ID Token flow', idTokenFlow],
    ['with every scope, in any order', { ...codeFlow, scope: 'phone email address profile openid' }],
    ['with an unknown parameter', { ...codeFlow, extra: 'foobar' }],
    ['with the default response_mode of the code flow', { ...codeFlow, response_mode: 'query' }],
    ['with the default response_mode of the ID Token flow', { ...idTokenFlow, response_mode: 'fragment' }],
    ['with form_post in the code flow', { ...codeFlow, response_mode: 'form_post' }],
    ['with form_post in the ID Token flow', { ...idTokenFlow, response_mode: 'form_post' }],
    [
      'with what the provider takes',
      { ...codeFlow, prompt: 'consent', bot_prompt: 'normal', disable_auto_login: 'true' },
    ],
    ['with a challenge in the ID Token flow', { ...idTokenFlow, code_challenge: s256 }],
  ])('%s is accepted', (_, fields) => {
    expect(findRequestError(build(fields))).toBeUndefined()
  })

  test('may repeat unknown parameters', () => {
    expect(findRequestError(build(codeFlow, { tail: '&resource=a&resource=b' }))).toBeUndefined()
  })

  test('with an empty parameter is the same as without it', () => {
    expect(findRequestError(build({ ...idTokenFlow, nonce: '' }))?.error_description).toMatch(/nonce is required/)
    expect(findRequestError(build({ ...codeFlow, code_challenge: s256, code_challenge_method: '' }))).toBeUndefined()
  })

  test.each([
    'response_type',
    'scope',
    'state',
    'nonce',
    'code_challenge',
    'code_challenge_method',
    'prompt',
    'request',
  ])('with %s twice is rejected, even if both are equal', (name) => {
    const fields = { ...idTokenFlow, code_challenge: s256, code_challenge_method: 'plain', prompt: 'consent' }
    const value = encodeURIComponent(String(Reflect.get(fields, name)))
    const twice = Object.hasOwn(fields, name) ? `&${name}=${value}` : `&${name}=x&${name}=x`
    expect(findRequestError(build(fields, { tail: twice }))?.error_description).toBe('A parameter is repeated.')
  })

  test.each(['', 'CODE', 'code ', 'code id_token', 'token', 'none', 'id_token token', '__proto__'])(
    'with response_type "%s" is rejected',
    (responseType) => {
      expect(findRequestError(build({ ...idTokenFlow, response_type: responseType }))?.error).toBe(
        'unsupported_response_type',
      )
    },
  )

  test.each([
    [undefined, 'openid scope is required.'],
    ['OpenID', 'openid scope is required.'],
    ['openidprofile', 'openid scope is required.'],
    ['openid\tprofile', 'openid scope is required.'],
    ['openid offline_access', 'scope is invalid.'],
    ['openid Profile', 'scope is invalid.'],
    ['openid constructor', 'scope is invalid.'],
    ['gold', 'openid scope is required.'],
  ])('with scope "%s" is rejected: %s', (scope, description) => {
    expect(findRequestError(build({ ...codeFlow, scope }))?.error_description).toBe(description)
  })
})

test.each([
  { ...codeFlow, response_mode: 'fragment' },
  { ...idTokenFlow, response_mode: 'query' },
  { ...codeFlow, response_mode: 'FORM_POST' },
  { ...codeFlow, response_mode: 'form_post.jwt' },
  { ...codeFlow, response_mode: 'web_message' },
  { ...codeFlow, response_mode: 'form_post', redirect_uri: 'com.example.app:/callback' },
])('$response_type with response_mode "$response_mode" to $redirect_uri is rejected', (fields) => {
  expect(findRequestError(build(fields))?.error_description).toBe('response_mode is invalid.')
})

describe('a challenge', () => {
  const of = (length: number) => 'a'.repeat(length)
  test.each([
    [of(43), 'S256'],
    [of(43), 'plain'],
    [of(128), 'plain'],
    [of(43), undefined],
    [`${of(40)}-._~`, 'plain'],
    [`${of(41)}-_`, 'S256'],
  ])('"%s" with method %s is accepted', (codeChallenge, codeChallengeMethod) => {
    expect(
      findRequestError(
        build({ ...codeFlow, code_challenge: codeChallenge, code_challenge_method: codeChallengeMethod }),
      ),
    ).toBeUndefined()
  })

  test.each([
    [of(42), 'S256'],
    [of(44), 'S256'],
    [of(128), 'S256'],
    [of(42), 'plain'],
    [of(129), 'plain'],
    [of(42), undefined],
    [`${of(42)}=`, 'S256'],
    [`${of(42)}+`, 'S256'],
    [`${of(42)}/`, 'S256'],
    [`${of(42)}.`, 'S256'],
    [`${of(42)} `, 'plain'],
    [`${of(42)}\n`, 'plain'],
    [of(42), 'S512'],
  ])('"%s" with method %s is malformed', (codeChallenge, codeChallengeMethod) => {
    const error = findRequestError(
      build({ ...codeFlow, code_challenge: codeChallenge, code_challenge_method: codeChallengeMethod }),
    )
    expect(error?.error_description).toBe('code_challenge format is invalid.')
  })

  test.each(['s256', 'S512', 'PLAIN', 'none', 'S256 '])('with method "%s" is rejected', (codeChallengeMethod) => {
    const error = findRequestError(
      build({ ...codeFlow, code_challenge: of(43), code_challenge_method: codeChallengeMethod }),
    )
    expect(error?.error_description).toBe('Unsupported code_challenge_method.')
  })

  test('with only a method is rejected', () => {
    const error = findRequestError(build({ ...codeFlow, code_challenge_method: 'plain' }))
    expect(error?.error_description).toBe('code_challenge_method requires code_challenge.')
  })
})

describe("a client's PKCE setting", () => {
  const spa = { kind: 'public', pkce: 'required', ...usual } as const
  test('applies to the code flow', () => {
    expect(findRequestError(build(codeFlow, { client: spa }))?.error_description).toBe('code_challenge is required.')
    expect(findRequestError(build({ ...codeFlow, code_challenge: s256 }, { client: spa }))).toBeUndefined()
  })

  test('does not apply to the ID Token flow', () => {
    expect(
      findRequestError(build(idTokenFlow, { client: { kind: 'confidential', pkce: 'S256', ...usual } })),
    ).toBeUndefined()
  })

  test('S256 rejects plain, explicit or by default', () => {
    const client = { kind: 'confidential', pkce: 'S256', ...usual } as const
    const fields = { ...codeFlow, code_challenge: s256 }
    for (const codeChallengeMethod of ['plain', undefined]) {
      const error = findRequestError(build({ ...fields, code_challenge_method: codeChallengeMethod }, { client }))
      expect(error?.error_description).toBe('code_challenge_method must be S256.')
    }
    expect(findRequestError(build({ ...fields, code_challenge_method: 'S256' }, { client }))).toBeUndefined()
  })
})

test('parsing yields scopes as a set, absent values as null, and plain as the default method', () => {
  const fields = { ...codeFlow, scope: 'email openid  email', code_challenge: s256, state: undefined }
  expect(parseRequest(build(fields))).toEqual({
    client_id: 'c',
    redirect_uri: 'https://shop.example.com/callback',
    response_type: 'code',
    scope: ['email', 'openid'],
    state: null,
    nonce: null,
    code_challenge: s256,
    code_challenge_method: 'plain',
    max_age: null,
    response_mode: null,
    reauthenticate: false,
    hinted_identifier: null,
  })
  const fresh = { ...codeFlow, prompt: 'select_account  login', max_age: '0', response_mode: 'form_post' }
  expect(parseRequest({ ...build(fresh), hintedIdentifier: 'u' })).toMatchObject({
    max_age: 0,
    response_mode: 'form_post',
    reauthenticate: true,
    hinted_identifier: 'u',
  })
})

test.each(['none login', 'none select_account', 'consent none', 'create', 'Login'])(
  'prompt "%s" is rejected',
  (prompt) => {
    expect(findRequestError(build({ ...codeFlow, prompt }))?.error_description).toBe('prompt is invalid.')
  },
)

test.each([
  ['id_token', 'fragment'],
  ['code', 'query'],
  ['token', 'query'],
  [undefined, 'query'],
])('the response to response_type %s is in the %s', (responseType, placement) => {
  expect(getResponseMode(readParameters(query({ response_type: responseType })))).toBe(placement)
})

test.each([
  ['id_token', 'https://shop.example.com/callback', 'form_post'],
  ['code', 'http://127.0.0.1:3000/callback', 'form_post'],
  ['token', 'https://shop.example.com/callback', 'form_post'],
  ['code', 'com.example.app:/callback', 'query'],
  ['code', 'https.example:/callback', 'query'],
  ['code', undefined, 'query'],
])('form_post for response_type %s to %s results in %s', (responseType, redirectUri, mode) => {
  const fields = { response_type: responseType, redirect_uri: redirectUri, response_mode: 'form_post' }
  expect(getResponseMode(readParameters(query(fields)))).toBe(mode)
})

test('a state of 2048 characters is returned with an error, a longer or repeated one is not', () => {
  const longest = 's'.repeat(2_048)
  expect(getReturnableState(readParameters(query({ state: longest })))).toBe(longest)
  expect(getReturnableState(readParameters(query({ state: `${longest}s` })))).toBeNull()
  expect(getReturnableState(readParameters('state=a&state=a'))).toBeNull()
})
