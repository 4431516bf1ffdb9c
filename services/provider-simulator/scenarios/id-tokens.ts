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
import type { ScenarioName } from './scenario-kinds.ts'
import type { ActiveScenarios } from './scenarios.ts'

/** An ID Token as its provider signs it. */
export interface IdToken {
  readonly claims: JWTPayload
  readonly header: JWTHeaderParameters
  readonly key: CryptoKey | Uint8Array
  /** The keys that the provider publishes. */
  readonly published: readonly JWK[]
}

/** Signs the token, or forges it as the end user's active scenarios require. */
export async function signOrForgeIdToken(token: IdToken, active: ActiveScenarios): Promise<string> {
  const claims = falseClaims.reduce(
    (claims, [scenario, forge]) => (active.has(scenario) ? forge(claims) : claims),
    token.claims,
  )
  const signAs = falseSignatures.find(([scenario]) => active.has(scenario))?.[1] ?? sign
  return signAs({ ...token, claims })
}

/** The claims of userinfo, forged if a scenario of the end user requires it. */
export function applyUserinfoScenario<T extends { readonly sub: string }>(claims: T, active: ActiveScenarios): T {
  return active.has('wrong_userinfo') ? { ...claims, sub: toAnotherSubject(claims.sub) } : claims
}

const falseClaims: readonly [ScenarioName, (claims: JWTPayload) => JWTPayload][] = [
  ['wrong_issuer', (claims) => ({ ...claims, iss: 'https://issuer.invalid' })],
  ['wrong_audience', (claims) => ({ ...claims, aud: 'another-application' })],
  ['wrong_nonce', (claims) => ({ ...claims, nonce: 'nonce-of-another-login' })],
  ['wrong_subject', (claims) => ({ ...claims, sub: toAnotherSubject(claims.sub ?? '') })],
  ['expired_id_token', expireDayAgo],
]

type Sign = (token: IdToken) => Promise<string>

const sign: Sign = async ({ claims, header, key }) => new SignJWT(claims).setProtectedHeader(header).sign(key)

const falseSignatures: readonly [ScenarioName, Sign][] = [
  ['unsigned_token', async ({ claims }) => new UnsecuredJWT(claims).encode()],
  ['wrong_signature', async (token) => sign({ ...token, key: await generateForeignKey(token.header.alg) })],
  [
    'key_confusion',
    async (token) => {
      const alg = token.header.alg === 'HS256' ? 'RS256' : 'HS256'
      const key = alg === 'HS256' ? await exportPublicKeyText(token) : await generateForeignKey(alg)
      return sign({ ...token, header: { ...token.header, alg }, key })
    },
  ],
]

async function generateForeignKey(alg: string): Promise<CryptoKey | Uint8Array> {
  return alg === 'HS256' ? randomBytes(32) : (await generateKeyPair(alg)).privateKey
}

/**
 * The PEM of the public key as bytes: the HMAC secret of a verifier that takes the algorithm from the token (RFC 8725
 * 2.1).
 */
async function exportPublicKeyText({ header, published }: IdToken): Promise<Uint8Array> {
  const jwk = published.find(({ kid }) => kid === header.kid)
  if (jwk === undefined) throw new Error('The provider does not publish its signing key.')
  const key = await importJWK(jwk, header.alg, { extractable: true })
  if (key instanceof Uint8Array) throw new Error('A published key is no secret.')
  return new TextEncoder().encode(await exportSPKI(key))
}

/** Another subject of the same format. */
function toAnotherSubject(sub: string): string {
  return sub.slice(0, -1) + (sub.endsWith('0') ? '1' : '0')
}

/** The same lifetime, which ended a day before the token is issued. */
function expireDayAgo(claims: JWTPayload): JWTPayload {
  const { iat = 0, exp = iat } = claims
  const ended = iat - 86_400
  return { ...claims, iat: ended - (exp - iat), exp: ended }
}
