import type { JWTPayload } from 'jose'
import { leftHalfHash, nowSeconds } from '../../oauth.ts'
import { signIdToken } from '../../scenarios/id-tokens.ts'
import { type Grant, lives, memberNamed, type Search } from './state.ts'
import { claimsAbout } from './userinfo.ts'

/** RS256 under the current key, named by `kid`. */
export async function issueIdToken(
  grant: Grant,
  { nonce, access_token }: { nonce: string | undefined; access_token: string },
  search: Search,
): Promise<string> {
  const iat = nowSeconds()
  const { client_id } = grant
  const claims: JWTPayload = {
    iss: search.issuer,
    azp: client_id,
    aud: client_id,
    ...claimsAbout(memberNamed(grant.name, search), grant.scopes),
    at_hash: leftHalfHash(access_token),
    nonce,
    iat,
    exp: iat + lives.id_token_seconds,
  }
  const { kid, key } = search.signing
  const header = { alg: 'RS256', kid, typ: 'JWT' }
  return signIdToken({ claims, header, key, published: search.certs }, search.scenarios.activeFor('search', grant.name))
}
