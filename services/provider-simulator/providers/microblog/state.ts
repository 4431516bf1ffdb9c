import { createExpiringMap, type ExpiringMap } from '../../expiring-map.ts'
import type { ChallengeMethod } from '../../oauth.ts'
import { createTokens } from '../../scenarios/tokens.ts'
import type { Simulator } from '../provider.ts'

/** A request token of OAuth 1.0a, on its way from the application over the person back to the application. */
export interface RequestToken {
  readonly client_id: string
  readonly secret: string
  readonly callback: string
  /** Set when the person has agreed. */
  readonly agreed?: { readonly name: string; readonly verifier: string }
}

/** An access token of OAuth 1.0a: without end, and the same at every login until it is invalidated. */
export interface AccessToken {
  readonly client_id: string
  readonly name: string
  readonly token: string
  readonly secret: string
}

/** What a person let an application do, by OAuth 2.0. */
export interface Grant {
  readonly client_id: string
  readonly name: string
  readonly scopes: readonly string[]
}

export interface Code extends Grant {
  readonly redirect_uri: string
  readonly challenge: { readonly text: string; readonly method: ChallengeMethod }
}

/** The microblog's memory. */
export interface Microblog extends Simulator {
  readonly base: string
  readonly request_tokens: ExpiringMap<RequestToken>
  /** By token, and by `<client_id> <name>`. */
  readonly access_tokens: ExpiringMap<AccessToken>
  readonly tokens_of_people: ExpiringMap<string>
  /** Nonces that were used, with client, token and timestamp. */
  readonly nonces: ExpiringMap<true>
  readonly codes: ExpiringMap<Code>
  readonly bearer_tokens: ExpiringMap<Grant>
  readonly refresh_tokens: ExpiringMap<Grant>
}

/** The lives of a request token and of a refresh token, and how far clocks may differ, are our choice: none is documented. */
export const lives = {
  request_token_seconds: 900,
  clock_seconds: 300,
  code_seconds: 30,
  bearer_token_seconds: 7_200,
  refresh_token_seconds: 180 * 86_400,
} as const

export function createMicroblog(simulator: Simulator): Microblog {
  const issuing = { provider: 'microblog', scenarios: simulator.scenarios }
  return {
    ...simulator,
    base: `${simulator.url}/microblog`,
    request_tokens: createExpiringMap(lives.request_token_seconds),
    access_tokens: createTokens({ ...issuing, kind: 'lasting', lifetimeSeconds: Number.POSITIVE_INFINITY }),
    tokens_of_people: createExpiringMap(Number.POSITIVE_INFINITY),
    nonces: createExpiringMap(2 * lives.clock_seconds),
    codes: createExpiringMap(lives.code_seconds),
    bearer_tokens: createTokens({ ...issuing, kind: 'access', lifetimeSeconds: lives.bearer_token_seconds }),
    refresh_tokens: createTokens({ ...issuing, kind: 'lasting', lifetimeSeconds: lives.refresh_token_seconds }),
  }
}
