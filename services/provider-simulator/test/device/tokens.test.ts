import { createHash } from 'node:crypto'
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { advanceTime, get, requireText } from '../simulator.ts'
import {
  clientId,
  consent,
  exchange,
  formOf,
  issuer,
  mint,
  redirectUri,
  refresh,
  setSimulator,
  submitDecision,
  tokensFor,
  withSecret,
} from './device.ts'

setSimulator()

describe('tokens', () => {
  test('are issued for a code once, within five minutes, for its redirect_uri', async () => {
    const code = requireText((await consent('hanako')).code)
    expect(await exchange(code)).toMatchObject({ status: 200, json: { token_type: 'Bearer', expires_in: 3_600 } })
    const slow = requireText((await consent('hanako')).code)
    const elsewhere = requireText((await consent('hanako')).code)
    const rejections = [await exchange(code), await exchange(elsewhere, { redirect_uri: `${redirectUri}/` })]
    advanceTime(301)
    rejections.push(await exchange(slow))
    for (const rejected of rejections) expect(rejected).toMatchObject({ status: 400, json: { error: 'invalid_grant' } })
  })

  test('the ID Token is RS256 under one of several keys, has no name, and its booleans are text', async () => {
    const { json } = await get(`${issuer}/auth/keys`)
    const kids = z
      .array(z.object({ kid: z.string(), kty: z.literal('RSA') }))
      .parse(json.keys)
      .map(({ kid }) => kid)
    expect(kids.length).toBeGreaterThan(1)
    const { id_token, access_token } = await tokensFor('Hanako Yamada')
    expect(kids.indexOf(decodeProtectedHeader(id_token).kid ?? '')).toBeGreaterThan(0)
    const checks = { issuer, audience: clientId, algorithms: ['RS256'] }
    const { payload } = await jwtVerify(id_token, createRemoteJWKSet(new URL(`${issuer}/auth/keys`)), checks)
    expect(payload).toEqual({
      iss: issuer,
      aud: clientId,
      iat: expect.any(Number),
      exp: Number(payload.iat) + 86_400,
      sub: expect.stringMatching(/^\d{6}\.[0-9a-f]{32}\.\d{4}$/),
      nonce: 'n-1',
      nonce_supported: true,
      auth_time: expect.any(Number),
      at_hash: createHash('sha256').update(access_token).digest().subarray(0, 16).toString('base64url'),
      email: expect.stringContaining('@device.example'),
      email_verified: 'true',
      is_private_email: 'false',
    })
  })

  test('an end user who hides the e-mail address at the first consent has the same relay address afterwards', async () => {
    const { fields } = await formOf(await submitDecision({ user: 'Shy Person', option: 'yes' }))
    const relay = expect.stringMatching(/^[0-9a-f]{10}@privaterelay\.device\.example$/)
    expect(JSON.parse(fields.user ?? '').email).toEqual(relay)
    const { claims } = await tokensFor('Shy Person')
    expect(claims).toMatchObject({ email: relay, email_verified: 'true', is_private_email: 'true' })
  })

  test('an end user has one ID for the applications of a team, and another for each other team', async () => {
    const subOf = async (id: string, team = 'TEAM123456') => {
      const code = requireText((await consent('hanako', { client_id: id })).code)
      const clientSecret = await mint({ claims: { sub: id, iss: team } })
      return decodeJwt(
        requireText((await exchange(code, { client_id: id, client_secret: clientSecret })).json.id_token),
      ).sub
    }
    const first = await subOf(clientId)
    expect(await subOf('com.example.same-team')).toBe(first)
    expect(await subOf('com.example.other-team', 'TEAM654321')).not.toBe(first)
  })

  test('a refresh returns a new access token and an ID Token without nonce, and no refresh token', async () => {
    const { refresh_token, access_token, claims } = await tokensFor('hanako')
    advanceTime(86_400 * 400)
    const { status, json } = await refresh(refresh_token)
    expect(status).toBe(200)
    expect(Object.keys(json).sort()).toEqual(['access_token', 'expires_in', 'id_token', 'token_type'])
    expect(json.access_token).not.toBe(access_token)
    const refreshed = decodeJwt(requireText(json.id_token))
    expect(refreshed.sub).toBe(claims.sub)
    expect(refreshed).not.toHaveProperty('nonce')
  })

  test.each(['access_token', 'refresh_token'] as const)('revoking the %s ends the complete consent', async (kind) => {
    const tokens = await tokensFor('Leaving')
    const { refresh_token: another } = await tokensFor('Leaving')
    const revoke = () => withSecret('/auth/revoke', { token: tokens[kind], token_type_hint: kind })
    const response = await revoke()
    expect({ status: response.status, body: await response.text() }).toEqual({ status: 200, body: '' })
    expect((await refresh(another)).json).toMatchObject({ error: 'invalid_grant' })
    expect((await revoke()).status).toBe(200)
  })

  test('nothing is revoked without the client secret', async () => {
    const { refresh_token } = await tokensFor('hanako')
    const response = await withSecret('/auth/revoke', { token: refresh_token, client_secret: 'x' })
    expect(response.status).toBe(400)
    expect((await refresh(refresh_token)).status).toBe(200)
  })
})
