import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose'
import { z } from 'zod'
import type { SeededSite, SharedStack } from '#testing'

const Tokens = z.object({ access_token: z.string(), id_token: z.string() })

/** A customer's server: an OpenID Connect client built on fetch and jose only. */
export interface Application {
  /** Exchanges a callback's code. */
  readonly redeem: (callback: URL, changes?: Readonly<Record<string, string>>) => Promise<z.infer<typeof Tokens>>
  readonly verify: (idToken: string) => Promise<JWTPayload>
  /** The claims of the ID Token that a callback's code yields. */
  readonly claimsOf: (callback: URL) => Promise<JWTPayload>
  readonly userinfo: (accessToken: string) => Promise<Record<string, unknown>>
  /** The user of a callback in the code flow. */
  readonly userOf: (callback: URL) => Promise<string>
}

export function applicationOf({ auth }: SharedStack, { client }: SeededSite): Application {
  const keys = createRemoteJWKSet(new URL(`${auth}/oauth2/jwks`))
  const application: Application = {
    async redeem(callback, changes = {}) {
      const code = callback.searchParams.get('code') ?? ''
      const form = { grant_type: 'authorization_code', code, ...client, ...changes }
      const response = await fetch(`${auth}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) })
      if (!response.ok) throw new Error(`No tokens for ${callback}: ${response.status} ${await response.text()}`)
      return Tokens.parse(await response.json())
    },
    async verify(idToken) {
      const checks = { issuer: auth, audience: client.client_id, algorithms: ['RS256'] }
      return (await jwtVerify(idToken, keys, checks)).payload
    },
    async userinfo(accessToken) {
      const response = await fetch(`${auth}/oauth2/userinfo`, { headers: { authorization: `Bearer ${accessToken}` } })
      return z.looseObject({}).parse(await response.json())
    },
    claimsOf: async (callback) => application.verify((await application.redeem(callback)).id_token),
    userOf: async (callback) => z.string().parse((await application.claimsOf(callback)).sub),
  }
  return application
}
