import { createHash } from 'node:crypto'
import { signOrForgeIdToken } from '../scenarios/id-tokens.ts'
import { simulatedClock } from '../simulated-clock.ts'
import type { Grant } from './grants.ts'
import { identify, type OAuthServer } from './server.ts'

interface Contents {
  readonly nonce: string | undefined
  /** The access token and the code that the ID Token is issued with. */
  readonly access_token?: string
  readonly code?: string
  /** The audience, if it is not the client that the end user logged in to. */
  readonly audience?: string | undefined
}

/** Issues an ID Token (OpenID Connect Core 2) as the dialect defines it. */
export async function issueIdToken(grant: Grant, contents: Contents, server: OAuthServer): Promise<string> {
  const { dialect, issuer, openid } = server
  if (openid === undefined) throw new Error(`${dialect.name} is not an OpenID Provider.`)
  const { idToken: form, signingKeys } = openid
  return signIdTokenInForm(grant, contents, { issuer, form, signingKeys }, server)
}

/** Signs an ID Token in a form, as an issuer. */
export async function signIdTokenInForm(
  grant: Grant,
  { nonce, access_token, code, audience: otherAudience }: Contents,
  { issuer, form, signingKeys }: NonNullable<OAuthServer['sdk']>,
  server: OAuthServer,
): Promise<string> {
  const { dialect, scenarios } = server
  const { alg, lifetimeSeconds, header, audience, hasAccessTokenHash, claims } = form
  const { signing, published } = signingKeys
  const identity = identify(grant, server)
  const { client_id, client_secret } = identity.client
  const recipient = otherAudience ?? client_id
  const iat = Math.floor(simulatedClock.now() / 1_000)
  const signed = {
    claims: {
      iss: issuer,
      sub: identity.sub,
      aud: audience === 'list' ? [recipient] : recipient,
      exp: iat + lifetimeSeconds,
      iat,
      nonce,
      at_hash: hasAccessTokenHash && access_token !== undefined ? computeLeftHalfHash(access_token) : undefined,
      c_hash: code === undefined ? undefined : computeLeftHalfHash(code),
      ...claims(identity, grant, nonce),
    },
    header: alg === 'HS256' ? { ...header, alg } : { alg, kid: signing.kid, ...header },
    key: alg === 'HS256' ? toHmacKey(client_secret) : signing.key,
    published,
  }
  return signOrForgeIdToken(signed, scenarios.activeFor(dialect.name, grant.name))
}

/** The characters of the secret are the bytes of the key (OpenID Connect Core 10.1). */
export function toHmacKey(clientSecret: string): Uint8Array {
  return new TextEncoder().encode(clientSecret)
}

/** OpenID Connect Core 3.1.3.6 and 3.3.2.11, for the SHA-256 of RS256. */
function computeLeftHalfHash(text: string): string {
  return createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url')
}
