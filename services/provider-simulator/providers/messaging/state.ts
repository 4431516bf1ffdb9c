import { randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import type { Client } from '../../clients.ts'
import { createExpiringMap, type ExpiringMap } from '../../expiring-map.ts'
import { type Person, personNamed } from '../../people.ts'
import { createTokens } from '../../scenarios/tokens.ts'
import type { Simulator } from '../provider.ts'

/** That a person let an application in, until it is withdrawn. */
export interface Consent {
  withdrawn: boolean
}

/** What a person let an application do. */
export interface Grant {
  readonly client_id: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly consent: Consent
}

export interface Code extends Grant {
  readonly redirect_uri: string
  readonly nonce: string | undefined
  readonly code_challenge: string | undefined
  /** Unix time in seconds; only when max_age was sent. */
  readonly auth_time: number | undefined
}

/** The messaging provider's memory. */
export interface Messaging extends Simulator {
  readonly issuer: string
  readonly codes: ExpiringMap<Code>
  readonly access_tokens: ExpiringMap<Grant>
  readonly refresh_tokens: ExpiringMap<Grant>
  /** By `<client_id> <user id>`. */
  readonly consents: Map<string, Consent>
  /** Client ids by the tokens with which a channel speaks for itself. */
  readonly channel_tokens: ExpiringMap<string>
  /** `<client_id> <user id>` of those who are friends of the client's official account. */
  readonly friends: Set<string>
  /** As `friends`, of those who were and have blocked it since. */
  readonly blocked: Set<string>
  /** Keys of native logins, which sign nothing here: a web login's ID Token is never verified with them. */
  readonly certs: readonly JWK[]
}

export const lives = {
  code_seconds: 600,
  access_token_seconds: 2_592_000,
  refresh_token_seconds: 90 * 86_400,
  id_token_seconds: 3_600,
  channel_token_seconds: 900,
} as const

export async function createMessaging(simulator: Simulator): Promise<Messaging> {
  const { publicKey } = await generateKeyPair('ES256')
  const issuing = { provider: 'messaging', scenarios: simulator.scenarios }
  return {
    ...simulator,
    issuer: `${simulator.url}/messaging`,
    codes: createExpiringMap(lives.code_seconds),
    consents: new Map(),
    channel_tokens: createExpiringMap(lives.channel_token_seconds),
    access_tokens: createTokens({ ...issuing, kind: 'access', lifetimeSeconds: lives.access_token_seconds }),
    refresh_tokens: createTokens({ ...issuing, kind: 'lasting', lifetimeSeconds: lives.refresh_token_seconds }),
    friends: new Set(),
    blocked: new Set(),
    certs: [{ ...(await exportJWK(publicKey)), alg: 'ES256', use: 'sig', kid: randomUUID() }],
  }
}

export interface Member extends Person {
  /** `U` and 32 hex digits. */
  readonly user_id: string
}

export function memberNamed(name: string, messaging: Messaging): Member {
  const person = personNamed(name, 'messaging', messaging)
  return { ...person, user_id: `U${person.digest.slice(0, 32)}` }
}

/** The live consent of this person to this client, made when there is none. */
export function consentOf({ consents }: Messaging, client: Pick<Client, 'client_id'>, member: Member): Consent {
  const key = `${client.client_id} ${member.user_id}`
  const known = consents.get(key)
  if (known !== undefined && !known.withdrawn) return known
  const consent = { withdrawn: false }
  consents.set(key, consent)
  return consent
}

/** What a token allows, while it lives and its consent stands. */
export function grantOf(tokens: ExpiringMap<Grant>, token: string | undefined): Grant | undefined {
  const grant = tokens.get(token)
  return grant?.consent.withdrawn ? undefined : grant
}

export function friendship(client: Pick<Client, 'client_id'>, member: Member): string {
  return `${client.client_id} ${member.user_id}`
}
