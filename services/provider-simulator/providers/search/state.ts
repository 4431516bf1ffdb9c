import { randomBytes } from 'node:crypto'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK } from 'jose'
import { createExpiringMap, type ExpiringMap } from '../../expiring-map.ts'
import type { ChallengeMethod } from '../../oauth.ts'
import { type Person, personNamed } from '../../people.ts'
import { createTokens } from '../../scenarios/tokens.ts'
import type { Simulator } from '../provider.ts'

/** That a person let an application in, until it is withdrawn. */
export interface Consent {
  /** Unix time in ms. */
  readonly given_at_ms: number
  withdrawn: boolean
  /** The person consented to offline access, so that a refresh token was given. */
  offline: boolean
}

export interface Grant {
  readonly client_id: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly consent: Consent
}

export interface Code extends Grant {
  readonly redirect_uri: string
  readonly nonce: string | undefined
  readonly challenge: { readonly text: string; readonly method: ChallengeMethod } | undefined
  readonly with_refresh_token: boolean
}

/** The search provider's memory. */
export interface Search extends Simulator {
  readonly issuer: string
  readonly codes: ExpiringMap<Code>
  readonly access_tokens: ExpiringMap<Grant>
  readonly refresh_tokens: ExpiringMap<Grant>
  /** By `<client_id> <sub>`. */
  readonly consents: Map<string, Consent>
  readonly signing: SigningKey
  readonly certs: readonly JWK[]
}

interface SigningKey {
  readonly kid: string
  readonly key: CryptoKey
}

export const lives = {
  code_seconds: 600,
  access_token_seconds: 3_600,
  refresh_token_seconds: 180 * 86_400,
  id_token_seconds: 3_600,
} as const

export async function createSearch(simulator: Simulator): Promise<Search> {
  const [other, current] = await Promise.all([createKey(), createKey()])
  const issuing = { provider: 'search', scenarios: simulator.scenarios }
  return {
    ...simulator,
    issuer: `${simulator.url}/search`,
    codes: createExpiringMap(lives.code_seconds),
    access_tokens: createTokens({ ...issuing, kind: 'access', lifetimeSeconds: lives.access_token_seconds }),
    refresh_tokens: createTokens({ ...issuing, kind: 'lasting', lifetimeSeconds: lives.refresh_token_seconds }),
    consents: new Map(),
    signing: current.signing,
    // The key in use is not the first: who does not go by the key id fails.
    certs: [other.jwk, current.jwk],
  }
}

async function createKey(): Promise<{ signing: SigningKey; jwk: JWK }> {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const kid = randomBytes(20).toString('hex')
  return {
    signing: { kid, key: privateKey },
    jwk: { ...(await exportJWK(publicKey)), alg: 'RS256', use: 'sig', kid },
  }
}

export interface Member extends Person {
  /** 21 decimal digits. */
  readonly sub: string
}

export function memberNamed(name: string, search: Search): Member {
  const person = personNamed(name, 'search', search)
  const smallest = 10n ** 20n
  const number = smallest + (BigInt(`0x${person.digest.slice(0, 32)}`) % (9n * smallest))
  return { ...person, sub: number.toString() }
}

/** The live consent of this person to this client, made when there is none. */
export function consentOf(
  { consents, scenarios }: Search,
  client_id: string,
  { name, sub }: Member,
): { consent: Consent; asked: boolean } {
  const key = `${client_id} ${sub}`
  const known = consents.get(key)
  const stands = known && !known.withdrawn && !scenarios.hasEndedGrant('search', name, known.given_at_ms)
  if (stands) return { consent: known, asked: false }
  const consent = { given_at_ms: Date.now(), withdrawn: false, offline: false }
  consents.set(key, consent)
  return { consent, asked: true }
}

/** What a token allows, while it lives and its consent stands. */
export function grantOf(tokens: ExpiringMap<Grant>, token: string | undefined): Grant | undefined {
  const grant = tokens.get(token)
  return grant?.consent.withdrawn ? undefined : grant
}
