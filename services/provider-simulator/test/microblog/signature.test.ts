import { describe, expect, test } from 'vitest'
import { oauth1Signature } from '#http'
import {
  accessFor,
  account,
  base,
  clientId,
  clientSecret,
  error,
  jsonOf,
  redirectUri,
  send,
  setSimulator,
  signed,
} from './microblog.ts'

setSimulator()

describe('a signature', () => {
  test.each<[string, number, number, Record<string, string>]>([
    ['of an unknown client', 401, 32, { oauth_consumer_key: 'unknown' }],
    ['by another method', 401, 32, { oauth_signature_method: 'PLAINTEXT' }],
    ['of another version', 401, 32, { oauth_version: '2.0' }],
    ['without nonce', 401, 32, { oauth_nonce: '' }],
    ['with an invalid timestamp', 401, 135, { oauth_timestamp: 'now' }],
    ['that is five minutes old', 401, 135, { oauth_timestamp: String(Math.floor(Date.now() / 1_000) - 330) }],
    ['from the future', 401, 135, { oauth_timestamp: String(Math.floor(Date.now() / 1_000) + 330) }],
    ['with a token before any was issued', 401, 89, { oauth_token: 'made-up' }],
    ['that is wrong', 401, 32, { oauth_signature: 'AAAA' }],
    ['that is empty', 401, 32, { oauth_signature: '' }],
    ['for a callback that is not registered', 403, 415, { oauth_callback: 'https://evil.example/' }],
    ['for a callback below the registered one', 403, 415, { oauth_callback: `${redirectUri}/more` }],
    ['for a callback with a fragment', 403, 415, { oauth_callback: `${redirectUri}#x` }],
    ['for an out-of-band callback', 403, 415, { oauth_callback: 'oob' }],
  ])('%s is rejected with %i, code %i', async (_, status, code, changes) => {
    const protocol = { oauth_callback: redirectUri, ...changes }
    expect(jsonOf(await signed('POST', '/oauth/request_token', { protocol }))).toEqual(error(status, code))
  })

  test('of a request without a callback is rejected', async () => {
    expect(jsonOf(await signed('POST', '/oauth/request_token'))).toEqual(error(403, 415))
  })

  test('is accepted once', async () => {
    const parameters = {
      oauth_consumer_key: clientId,
      oauth_signature_method: 'HMAC-SHA1',
      oauth_nonce: 'once',
      oauth_timestamp: String(Math.floor(Date.now() / 1_000)),
      oauth_callback: redirectUri,
    }
    const url = `${base}/oauth/request_token`
    const request = { method: 'POST', url, parameters: Object.entries(parameters) }
    const oauthSignature = oauth1Signature(request, { client_secret: clientSecret, tokenSecret: '' })
    const again = () => send('POST', '/oauth/request_token', { ...parameters, oauth_signature: oauthSignature })
    expect((await again()).status).toBe(200)
    expect(jsonOf(await again())).toEqual(error(401, 32))
  })

  test('includes the query', async () => {
    const token = await accessFor('hanako')
    const parameters = {
      oauth_consumer_key: clientId,
      oauth_signature_method: 'HMAC-SHA1',
      oauth_nonce: 'of-the-query',
      oauth_timestamp: String(Math.floor(Date.now() / 1_000)),
      oauth_token: token.token,
    }
    const request = { method: 'GET', url: base + account, parameters: Object.entries(parameters) }
    const oauthSignature = oauth1Signature(request, { client_secret: clientSecret, tokenSecret: token.secret })
    const response = await send('GET', `${account}?include_email=true`, {
      ...parameters,
      oauth_signature: oauthSignature,
    })
    expect(jsonOf(response)).toEqual(error(401, 32))
  })

  test.each(['', 'Basic x', 'OAuth', 'OAuth oauth_nonce=1', 'OAuth oauth_nonce="%zz"', 'OAuth a="1", a="2"'])(
    'is missing: "%s"',
    async (authorization) => {
      const response = await fetch(`${base}/oauth/request_token`, { method: 'POST', headers: { authorization } })
      expect({ status: response.status, json: await response.json() }).toEqual(error(400, 215))
    },
  )

  test('of another client is rejected for a token', async () => {
    const token = await accessFor('hanako')
    const response = await signed('GET', account, { token, protocol: { oauth_consumer_key: 'other' } })
    expect(jsonOf(response)).toEqual(error(401, 89))
  })
})
