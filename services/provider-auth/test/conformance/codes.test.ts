import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { limits } from '#contracts'
import { openForTest } from '#testing'
import { flows } from './flows.ts'
import { relyingParty, Tokens } from './relying-party.ts'
import { openSuite, type Suite } from './suite.ts'

let suite: Suite
beforeAll(async () => {
  suite = await openSuite()
})

const ErrorAnswer = z.looseObject({ error: z.string() })
const verifier = 'a-verifier.of~43_characters-or-some-more-than-that'
const challenge = createHash('sha256').update(verifier).digest('base64url')

describe.each(flows)('$response_type by $response_mode through $path', (flow) => {
  test('oidcc-ensure-request-with-valid-pkce-succeeds: S256', async () => {
    const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
    const { claims } = await relyingParty(suite, flow).authenticate(pkce, {}, verifier)
    expect(claims.sub).toBeTypeOf('string')
  })
})

describe.each(flows.filter(({ response_type }) => response_type === 'code'))(
  'code by $response_mode through $path',
  (flow) => {
    /** The suite's relying party with an unused code. */
    const fetchCode = async () => {
      const party = relyingParty(suite, flow)
      const code = party.read(await party.request({ scope: 'openid profile' })).get('code') ?? ''
      return { ...party, code }
    }
    const userinfo = (init: RequestInit) => fetch(suite.metadata.userinfo_endpoint, init)
    const bearer = (accessToken: string) => ({ authorization: `Bearer ${accessToken}` })

    test('oidcc-ensure-request-without-nonce-succeeds-for-code-flow: no nonce requested, none returned', async () => {
      const { claims } = await relyingParty(suite, flow).authenticate({ nonce: undefined })
      expect(claims).not.toHaveProperty('nonce')
    })

    test('oidcc-userinfo-get, -post-header, -post-body: the same response each time', async () => {
      const { code, redeem } = await fetchCode()
      const { access_token } = Tokens.parse(await (await redeem(code)).json())
      const responses = await Promise.all([
        userinfo({ headers: bearer(access_token) }),
        userinfo({ method: 'POST', headers: bearer(access_token) }),
        userinfo({ method: 'POST', body: new URLSearchParams({ access_token }) }),
      ])
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
      const [get, ...posts] = await Promise.all(responses.map((response) => response.json()))
      expect(get).toMatchObject({ sub: expect.any(String) })
      expect(posts).toEqual([get, get])
    })

    test('oidcc-codereuse: 400 invalid_grant when a code is used a second time immediately', async () => {
      const { code, redeem } = await fetchCode()
      expect((await redeem(code)).status).toBe(200)
      const again = await redeem(code)
      expect([again.status, ErrorAnswer.parse(await again.json()).error]).toEqual([400, 'invalid_grant'])
    })

    test('oidcc-codereuse-30seconds: 400 invalid_grant half a minute later, and the first access token is revoked', async () => {
      const { code, redeem } = await fetchCode()
      const { access_token } = Tokens.parse(await (await redeem(code)).json())
      await letSecondsPass(30)
      const again = await redeem(code)
      expect([again.status, ErrorAnswer.parse(await again.json()).error]).toEqual([400, 'invalid_grant'])
      expect((await userinfo({ headers: bearer(access_token) })).status).toBe(401)
    })

    test('oidcc-server-client-secret-post: the secret can be in the form', async () => {
      const { code, redeem } = await fetchCode()
      const { client_id, client_secret } = suite.site.client
      const response = await redeem(code, { client_id, client_secret }, {})
      expect(response.status).toBe(200)
    })

    test('oidcc-refresh-token: not advertised and not issued', async () => {
      const { code, redeem } = await fetchCode()
      expect(suite.metadata.grant_types_supported).not.toContain('refresh_token')
      expect(Tokens.parse(await (await redeem(code)).json())).not.toHaveProperty('refresh_token')
    })
  },
)

/** Makes all codes of the client as old as this. */
async function letSecondsPass(seconds: number): Promise<void> {
  await using database = openForTest(suite.serviceStack.database_urls.provider_auth)
  const expiry = database.knex.raw("now() + ? * interval '1 second'", [limits.authorization_code_seconds - seconds])
  const { client_id } = suite.site.client
  await database.knex('authorization_codes').where({ client_id }).update({ expires_at: expiry })
}
