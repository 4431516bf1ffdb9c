import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildRedirectLocation, serverError, toProviderError } from './redirect-location.ts'

const issuer = 'https://auth.example.com'

describe('a location starts with the registered string unchanged', () => {
  test.each([
    ['https://shop.example.com/callback', 'query', 'https://shop.example.com/callback?code=c&state=s&iss='],
    ['https://shop.example.com/callback?', 'query', 'https://shop.example.com/callback?code=c&state=s&iss='],
    ['https://shop.example.com/callback?a=1', 'query', 'https://shop.example.com/callback?a=1&code=c&state=s&iss='],
    ['https://shop.example.com/callback?a=1&', 'query', 'https://shop.example.com/callback?a=1&code=c&state=s&iss='],
    ['https://shop.example.com', 'query', 'https://shop.example.com?code=c&state=s&iss='],
    ['com.example.app:/callback', 'query', 'com.example.app:/callback?code=c&state=s&iss='],
    ['https://shop.example.com/callback?a=1', 'fragment', 'https://shop.example.com/callback?a=1#code=c&state=s&iss='],
  ] as const)('%s in the %s', (redirectUri, placement, expected) => {
    const location = buildRedirectLocation(
      { redirect_uri: redirectUri, responseMode: placement, state: 's' },
      { code: 'c' },
      issuer,
    )
    expect(location).toBe(`${expected}https%3A%2F%2Fauth.example.com`)
  })
})

test('any state is returned unchanged, once, in the query or fragment, and the registered query stays', () => {
  const own = fc.constantFrom('', '?', '?keep=1', '?keep=%20a&b')
  const placements = fc.constantFrom('query', 'fragment')
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 2_048 }),
      own,
      placements,
      (text, query, placement) => {
        const state = text.toWellFormed()
        const redirectUri = `https://shop.example.com/callback${query}`
        const location = buildRedirectLocation(
          { redirect_uri: redirectUri, responseMode: placement, state },
          { code: 'c' },
          issuer,
        )
        expect(location.startsWith(redirectUri)).toBe(true)
        const url = new URL(location)
        const parameters = new URLSearchParams(placement === 'fragment' ? url.hash.slice(1) : url.search)
        expect(parameters.getAll('state')).toEqual([state])
        expect(parameters.getAll('code')).toEqual(['c'])
        expect(parameters.getAll('iss')).toEqual([issuer])
      },
    ),
  )
})

test('without a state none is returned', () => {
  const redirectUri = 'https://shop.example.com/callback'
  const location = buildRedirectLocation(
    { redirect_uri: redirectUri, responseMode: 'query', state: null },
    serverError,
    issuer,
  )
  expect([...new URL(location).searchParams.keys()]).toEqual(['error', 'error_description', 'iss'])
})

describe("a provider's error", () => {
  test.each(['access_denied', 'ACCESS_DENIED', 'interaction required!', 'e'.repeat(64)])(
    '"%s" is passed on',
    (error) => {
      expect(toProviderError(error)).toEqual({ error })
    },
  )

  test.each(['', 'e'.repeat(65), 'a"b', 'a\\b', 'a\nb', 'a\r\nSet-Cookie: x', 'é', '\u2028', 'a\tb'])(
    '"%s" becomes server_error',
    (error) => {
      expect(toProviderError(error)).toEqual({ error: 'server_error', error_description: 'Internal server error.' })
    },
  )
})
