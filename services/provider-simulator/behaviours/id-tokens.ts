import { randomBytes } from 'node:crypto'
import {
  type CryptoKey,
  exportSPKI,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from 'jose'
import type { InForce } from './behaviours.ts'
import type { BehaviourName } from './kinds.ts'

/** An ID Token as its provider would sign it. */
export interface IdToken {
  readonly claims: JWTPayload
  readonly header: JWTHeaderParameters
  readonly key: CryptoKey | Uint8Array
  /** The provider's published keys. */
  readonly certs: readonly JWK[]
}

/** The token signed, or what the behaviours in force for its person make of it. */
export async function signIdToken(token: IdToken, in_force: InForce): Promise<string> {
  const claims = falseClaims.reduce(
    (told, [behaviour, falsify]) => (in_force.has(behaviour) ? falsify(told) : told),
    token.claims,
  )
  const sign = falseSignatures.find(([behaviour]) => in_force.has(behaviour))?.[1] ?? signed
  return sign({ ...token, claims })
}

/** What userinfo tells, or what the behaviours in force for its person make of it. */
export function tellUserinfo<T extends { readonly sub: string }>(told: T, in_force: InForce): T {
  return in_force.has('wrong_userinfo') ? { ...told, sub: somebodyElse(told.sub) } : told
}

const falseClaims: readonly [BehaviourName, (claims: JWTPayload) => JWTPayload][] = [
  ['wrong_issuer', (claims) => ({ ...claims, iss: 'https://issuer.invalid' })],
  ['wrong_audience', (claims) => ({ ...claims, aud: 'another-application' })],
  ['wrong_nonce', (claims) => ({ ...claims, nonce: 'nonce-of-another-login' })],
  ['wrong_subject', (claims) => ({ ...claims, sub: somebodyElse(claims.sub ?? '') })],
  ['expired_id_token', (claims) => ({ ...claims, iat: aDayBefore(claims.iat), exp: aDayBefore(claims.exp) })],
]

type Sign = (token: IdToken) => Promise<string>

const signed: Sign = async ({ claims, header, key }) => new SignJWT(claims).setProtectedHeader(header).sign(key)

const falseSignatures: readonly [BehaviourName, Sign][] = [
  ['unsigned_token', async ({ claims }) => new UnsecuredJWT(claims).encode()],
  ['wrong_signature', async (token) => signed({ ...token, key: await foreignKey(token.header.alg) })],
  [
    'key_confusion',
    async (token) => {
      const alg = token.header.alg === 'HS256' ? 'RS256' : 'HS256'
      const key = alg === 'HS256' ? await publicKeyText(token) : await foreignKey(alg)
      return signed({ ...token, header: { ...token.header, alg }, key })
    },
  ],
]

async function foreignKey(alg: string): Promise<CryptoKey | Uint8Array> {
  return alg === 'HS256' ? randomBytes(32) : (await generateKeyPair(alg)).privateKey
}

/** The key's PEM as bytes: what a verifier uses as a secret that takes the algorithm from the token (RFC 8725 2.1). */
async function publicKeyText({ header, certs }: IdToken): Promise<Uint8Array> {
  const jwk = certs.find(({ kid }) => kid === header.kid)
  if (jwk === undefined) throw new Error('The provider does not publish the key it signs with.')
  const key = await importJWK(jwk, header.alg, { extractable: true })
  if (key instanceof Uint8Array) throw new Error('A published key is no secret.')
  return new TextEncoder().encode(await exportSPKI(key))
}

/** An id of the same form. */
function somebodyElse(sub: string): string {
  return sub.slice(0, -1) + (sub.endsWith('0') ? '1' : '0')
}

function aDayBefore(seconds: number | undefined): number {
  return (seconds ?? 0) - 86_400
}
