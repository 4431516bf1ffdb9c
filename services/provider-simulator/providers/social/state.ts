import { createExpiringMap, type ExpiringMap } from '../../expiring-map.ts'
import type { Simulator } from '../provider.ts'

/** The Graph API's version, in the path of every address. */
export const version = 'v26.0'

/** What a person let an application do, until the application is removed; whoever comes again finds it as it was left. */
export interface Authorization {
  readonly client_id: string
  readonly name: string
  /** Unix time in ms. */
  readonly given_at_ms: number
  readonly granted: Set<string>
  readonly declined: Set<string>
}

export interface Code {
  readonly authorization: Authorization
  readonly redirect_uri: string
}

export interface AccessToken {
  readonly authorization: Authorization
  /** Unix time in seconds. */
  readonly issued_at: number
  readonly expires_at: number
}

/** The social network's memory. */
export interface Social extends Simulator {
  readonly codes: ExpiringMap<Code>
  /** Tokens that ended are remembered for a while, for there is an error of its own for them. */
  readonly access_tokens: ExpiringMap<AccessToken>
  /** By `<client_id> <name>`; of those removed none. */
  readonly authorizations: Map<string, Authorization>
}

/** The lives of a code and of a short token are our choice: they are documented as short and as hours. */
export const lives = {
  code_seconds: 600,
  short_token_seconds: 7_200,
  long_token_seconds: 5_183_944,
} as const

export function createSocial(simulator: Simulator): Social {
  return {
    ...simulator,
    codes: createExpiringMap(lives.code_seconds),
    access_tokens: createExpiringMap(2 * lives.long_token_seconds),
    authorizations: new Map(),
  }
}

export function authorizationKey({ client_id, name }: Pick<Authorization, 'client_id' | 'name'>): string {
  return `${client_id} ${name}`
}

/** Whether the application was not removed since. */
export function isCurrent(authorization: Authorization, { authorizations, scenarios }: Social): boolean {
  const { name, given_at_ms } = authorization
  const was_removed = authorizations.get(authorizationKey(authorization)) !== authorization
  return !was_removed && !scenarios.hasEndedGrant('social', name, given_at_ms)
}
