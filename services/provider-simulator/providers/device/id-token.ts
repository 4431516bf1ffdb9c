import { leftHalfHash, nowSeconds } from '../../oauth.ts'
import { signIdToken } from '../../scenarios/id-tokens.ts'
import { type Device, emailOf, type Grant, lives, memberNamed } from './state.ts'

interface Particulars {
  readonly nonce: string | undefined
  /** What it comes with, for its hash. */
  readonly access_token?: string
  readonly code?: string
}

/** RS256 under the current key, named by `kid`. There is no name in it, and its booleans about the address are text. */
export async function issueIdToken(
  grant: Grant,
  { nonce, access_token, code }: Particulars,
  device: Device,
): Promise<string> {
  const client = device.clients.find('device', grant.client_id)
  if (client === undefined) throw new Error('a grant has a client')
  const member = memberNamed(grant.name, client, device)
  const iat = nowSeconds()
  const claims = {
    iss: device.issuer,
    aud: grant.client_id,
    exp: iat + lives.id_token_seconds,
    iat,
    sub: member.sub,
    ...(nonce !== undefined && { nonce, nonce_supported: true }),
    ...(access_token !== undefined && { at_hash: leftHalfHash(access_token) }),
    ...(code !== undefined && { c_hash: leftHalfHash(code) }),
    ...(grant.scopes.includes('email') && emailOf(member, grant.consent)),
    auth_time: grant.auth_time,
  }
  const { kid, key } = device.signing
  const header = { alg: 'RS256', kid }
  return signIdToken({ claims, header, key, published: device.keys }, device.scenarios.activeFor('device', grant.name))
}
