import { createHash } from 'node:crypto'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK } from 'jose'
import type { Client } from '../../clients.ts'
import { createExpiringMap, type ExpiringMap } from '../../expiring-map.ts'
import { type Person, personNamed } from '../../people.ts'
import { createTokens } from '../../scenarios/tokens.ts'
import type { Simulator } from '../provider.ts'

/** That a person let an application in, until it is withdrawn. */
export interface Consent {
  /** Unix time in ms. */
  readonly given_at_ms: number
  withdrawn: boolean
  /** The application knows the person by an address of the relay. */
  readonly hides_email: boolean
}

export interface Grant {
  readonly client_id: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly consent: Consent
  /** Unix time in seconds. */
  readonly auth_time: number
}

export interface Code extends Grant {
  readonly redirect_uri: string
  readonly nonce: string | undefined
}

/** The device provider's memory. */
export interface Device extends Simulator {
  readonly issuer: string
  readonly codes: ExpiringMap<Code>
  readonly access_tokens: ExpiringMap<Grant>
  readonly refresh_tokens: ExpiringMap<Grant>
  /** By `<client_id> <sub>`. */
  readonly consents: Map<string, Consent>
  readonly signing: { readonly kid: string; readonly key: CryptoKey }
  readonly keys: readonly JWK[]
}

/** The lives of tokens are our choice: of the access token it is not documented, and a refresh token has no end. */
export const lives = {
  code_seconds: 300,
  access_token_seconds: 3_600,
  refresh_token_seconds: 10 * 365 * 86_400,
  id_token_seconds: 86_400,
} as const

export async function createDevice(simulator: Simulator): Promise<Device> {
  const [first, current, last] = await Promise.all([createKey('86D88Kf'), createKey('eXaunmL'), createKey('YuyXoY')])
  const issuing = { provider: 'device', scenarios: simulator.scenarios }
  return {
    ...simulator,
    issuer: `${simulator.url}/device`,
    codes: createExpiringMap(lives.code_seconds),
    access_tokens: createTokens({ ...issuing, kind: 'access', lifetimeSeconds: lives.access_token_seconds }),
    refresh_tokens: createTokens({ ...issuing, kind: 'lasting', lifetimeSeconds: lives.refresh_token_seconds }),
    consents: new Map(),
    signing: { kid: current.kid, key: current.key },
    // The key in use is neither the first nor the last: who does not go by the key id fails.
    keys: [first.jwk, current.jwk, last.jwk],
  }
}

async function createKey(kid: string): Promise<{ kid: string; key: CryptoKey; jwk: JWK }> {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  return { kid, key: privateKey, jwk: { ...(await exportJWK(publicKey)), alg: 'RS256', use: 'sig', kid } }
}

export interface Member extends Person {
  /** The same for every application of a team, another for each team. */
  readonly sub: string
  /** The address of the relay, by which an application knows who hides their own. */
  readonly relay: string
}

export function memberNamed(name: string, { team_id, client_id }: Client, device: Device): Member {
  const person = personNamed(name, 'device', device)
  const hex = createHash('sha256')
    .update(`${team_id ?? client_id}\n${person.digest}`)
    .digest('hex')
  const digits = (from: number, length: number) => String(Number.parseInt(hex.slice(from, from + 8), 16)).slice(-length)
  const sub = `00${digits(32, 4).padStart(4, '0')}.${hex.slice(0, 32)}.${digits(40, 4).padStart(4, '0')}`
  return { ...person, sub, relay: `${hex.slice(48, 58)}@privaterelay.device.example` }
}

/** How an application knows the person's address, if there is one to know. Both of the provider's booleans are text. */
export function emailOf({ email, email_verified, relay }: Member, { hides_email }: Consent) {
  if (email === undefined) return {}
  return {
    email: hides_email ? relay : email,
    email_verified: String(email_verified),
    is_private_email: hides_email ? 'true' : 'false',
  }
}

/** The live consent of this person to this client. */
export function findConsent(device: Device, { client_id }: Client, { name, sub }: Member): Consent | undefined {
  const consent = device.consents.get(`${client_id} ${sub}`)
  if (consent === undefined || consent.withdrawn) return undefined
  return device.scenarios.hasEndedGrant('device', name, consent.given_at_ms) ? undefined : consent
}

/** Makes a consent, which is the first until it is withdrawn. */
export function consent(device: Device, { client_id }: Client, { sub }: Member, hides_email: boolean): Consent {
  const made = { given_at_ms: Date.now(), withdrawn: false, hides_email }
  device.consents.set(`${client_id} ${sub}`, made)
  return made
}

/** What a token allows, while it lives and its consent stands. */
export function grantOf(tokens: ExpiringMap<Grant>, token: string | undefined): Grant | undefined {
  const grant = tokens.get(token)
  return grant?.consent.withdrawn ? undefined : grant
}
