import { randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { createTokens } from '../../behaviours/tokens.ts'
import type { Client } from '../../clients.ts'
import { createExpiringMap, type ExpiringMap } from '../../expiring-map.ts'
import { type Person, personNamed } from '../../people.ts'
import type { Simulator } from '../provider.ts'

/** What a person let an application do. */
export interface Grant {
  readonly client_id: string
  readonly name: string
  readonly scopes: readonly string[]
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
  /** `<client_id> <user id>` of those who are friends of the client's official account. */
  readonly friends: Set<string>
  /** Keys of native logins, which sign nothing here: a web login's ID Token is never verified with them. */
  readonly certs: readonly JWK[]
}

export const lives = {
  code_seconds: 600,
  access_token_seconds: 2_592_000,
  refresh_token_seconds: 90 * 86_400,
  id_token_seconds: 3_600,
} as const

export async function createMessaging(simulator: Simulator): Promise<Messaging> {
  const { publicKey } = await generateKeyPair('ES256')
  const issuing = { provider: 'messaging', behaviours: simulator.behaviours }
  return {
    ...simulator,
    issuer: `${simulator.url}/messaging`,
    codes: createExpiringMap(lives.code_seconds),
    access_tokens: createTokens({ ...issuing, kind: 'access', life_seconds: lives.access_token_seconds }),
    refresh_tokens: createTokens({ ...issuing, kind: 'lasting', life_seconds: lives.refresh_token_seconds }),
    friends: new Set(),
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

export function friendship(client: Pick<Client, 'client_id'>, member: Member): string {
  return `${client.client_id} ${member.user_id}`
}
