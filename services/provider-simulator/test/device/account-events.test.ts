import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { post, requireText } from '../simulator.ts'
import { clientId, consent, issuer, refresh, server, setSimulator, submitDecision, tokensFor } from './device.ts'

setSimulator()

describe('what an end user changes about their account', () => {
  const change = (event: string, user: string, id = clientId) =>
    post(`${issuer}/account/${event}`, { client_id: id, user })

  test.each(['consent-revoked', 'account-delete', 'account-deleted'])(
    '%s ends the consent, and the application receives a signed webhook',
    async (type) => {
      const { refresh_token, claims } = await tokensFor(`Does ${type}`)
      server.received.length = 0
      const { json } = await change(type, `Does ${type}`)
      expect(json).toEqual({ type, sub: claims.sub, notified: 200 })
      expect((await refresh(refresh_token)).json).toMatchObject({ error: 'invalid_grant' })

      const [webhook, ...others] = server.received
      expect(others).toEqual([])
      expect(webhook?.type).toBe('application/json')
      const checks = { issuer, audience: clientId, algorithms: ['RS256'] }
      const jwks = createRemoteJWKSet(new URL(`${issuer}/auth/keys`))
      const { payload } = await jwtVerify(webhook?.payload ?? '', jwks, checks)
      expect(payload).toEqual({
        iss: issuer,
        aud: clientId,
        iat: expect.any(Number),
        jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
        events: expect.any(String),
      })
      const received = JSON.parse(requireText(payload.events))
      expect(received).toEqual({ type, sub: claims.sub, event_time: expect.any(Number) })
      expect(received.event_time).toBeGreaterThan(1e12)
    },
  )

  test.each(['email-disabled', 'email-enabled'])('%s contains the relay address, and ends no consent', async (type) => {
    const user = `Hidden ${type}`
    await submitDecision({ user, option: 'yes' })
    const { refresh_token, claims } = await tokensFor(user)
    server.received.length = 0
    expect((await change(type, user)).json).toMatchObject({ notified: 200 })
    const received = JSON.parse(requireText(decodeJwt(server.received[0]?.payload ?? '').events))
    expect(received).toMatchObject({ type, sub: claims.sub, email: claims.email, is_private_email: 'true' })
    expect((await refresh(refresh_token)).status).toBe(200)
  })

  test('an application without notification_uri receives no webhook', async () => {
    await consent('Quiet', { client_id: 'com.example.same-team' })
    expect((await change('consent-revoked', 'Quiet', 'com.example.same-team')).json).toMatchObject({ notified: null })
  })

  test.each([
    ['a user who does not use the application', 'consent-revoked', 'Unknown User', clientId, 404],
    ['an unknown application', 'consent-revoked', 'hanako', 'unknown', 400],
    ['a missing user', 'account-delete', ' ', clientId, 400],
  ])('%s is rejected', async (_, event, user, id, status) => {
    expect((await change(event, user, id)).status).toBe(status)
  })

  test('an address that is not hidden can be neither disabled nor enabled', async () => {
    await consent('Open Person')
    expect((await change('email-disabled', 'Open Person')).json).toMatchObject({ error: 'invalid_request' })
  })
})
