import { leftHalfHash, nowSeconds } from '../../oauth.ts'
import { signIdToken } from '../../scenarios/id-tokens.ts'
import { memberNamed } from './member.ts'
import { type Code, lives, type Portal } from './state.ts'

/** RS256 under the current key, named by `kid`. `aud` is a list; nothing of the person but the id is in it. */
export async function issueIdToken(code: Code, access_token: string, portal: Portal): Promise<string> {
  const iat = nowSeconds()
  const claims = {
    iss: portal.issuer,
    sub: memberNamed(code.name, portal).sub,
    aud: [code.client_id],
    exp: iat + lives.id_token_seconds,
    iat,
    auth_time: code.auth_time,
    amr: ['pwd'],
    nonce: code.nonce,
    at_hash: leftHalfHash(access_token),
  }
  const { kid, key } = portal.signing
  const header = { alg: 'RS256', kid, typ: 'JWT' }
  return signIdToken({ claims, header, key, published: portal.certs }, portal.scenarios.activeFor('portal', code.name))
}
