import type { JWTPayload } from 'jose'
import type { Client } from '../../clients.ts'
import { nowSeconds } from '../../oauth.ts'
import { signIdToken } from '../../scenarios/id-tokens.ts'
import { type Code, lives, type Messaging, memberNamed } from './state.ts'

/** Of a web login: HS256 under the text of the client secret, and a header of `typ` and `alg` alone. */
export async function issueIdToken(code: Code, client: Client, messaging: Messaging): Promise<string> {
  const member = memberNamed(code.name, messaging)
  const iat = nowSeconds()
  const claims: JWTPayload = {
    iss: messaging.issuer,
    sub: member.user_id,
    aud: client.client_id,
    exp: iat + lives.id_token_seconds,
    iat,
    auth_time: code.auth_time,
    nonce: code.nonce,
    amr: ['pwd'],
    ...(code.scopes.includes('profile') ? { name: member.name, picture: member.picture } : {}),
    // There is no email_verified at this provider.
    ...(code.scopes.includes('email') ? { email: member.email } : {}),
  }
  const header = { typ: 'JWT', alg: 'HS256' }
  const active = messaging.scenarios.activeFor('messaging', code.name)
  return signIdToken({ claims, header, key: signingKey(client), published: messaging.certs }, active)
}

/** The secret's characters are the key's bytes; they are not decoded from hexadecimal. */
export function signingKey({ client_secret }: Client): Uint8Array {
  return new TextEncoder().encode(client_secret)
}
