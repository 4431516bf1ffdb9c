import { createExpiringMap, type ExpiringMap } from '../expiring-map.ts'
import type { Scenarios } from './scenarios.ts'

/** A token that a provider issued, live or not. */
export interface IssuedToken<G> {
  readonly grant: G
  readonly issuedAtMs: number
  readonly expiresAtMs: number
}

/** Tokens of one kind that a provider issued. `get` and `take` find those that no scenario of their end user has ended. */
export interface Tokens<G> extends ExpiringMap<G> {
  readonly set: (token: string, grant: G, lifetimeSeconds?: number) => void
  /** Also a token that has ended, as long as it is stored. */
  readonly find: (token: string | undefined) => IssuedToken<G> | undefined
  /** Whole seconds that the token is still live, as in `expires_in`. */
  readonly secondsLeft: (token: string) => number
}

interface Options {
  readonly provider: string
  /** Only access tokens follow the scenario `short_access_tokens`. */
  readonly kind: 'access' | 'lasting'
  readonly lifetimeSeconds: number
  /** How long a token can be found; by default as long as it is live. */
  readonly storedSeconds?: number
  readonly scenarios: Scenarios
}

export function createTokens<G extends { readonly name: string }>({
  provider,
  kind,
  lifetimeSeconds,
  storedSeconds = lifetimeSeconds,
  scenarios,
}: Options): Tokens<G> {
  const tokens = createExpiringMap<{ grant: G; issuedAtMs: number; seconds: number }>(storedSeconds)

  const find = (token: string | undefined): IssuedToken<G> | undefined => {
    const issued = tokens.get(token)
    if (issued === undefined) return undefined
    const { grant, issuedAtMs, seconds } = issued
    const active = kind === 'access' ? scenarios.activeFor(provider, grant.name) : undefined
    const lifetime = Math.min(seconds, active?.get('short_access_tokens')?.seconds ?? seconds)
    return { grant, issuedAtMs, expiresAtMs: issuedAtMs + lifetime * 1_000 }
  }
  const isLive = ({ grant, issuedAtMs, expiresAtMs }: IssuedToken<G>) =>
    expiresAtMs > Date.now() && !scenarios.hasEndedGrant(provider, grant.name, issuedAtMs)

  const get = (token: string | undefined) => {
    const issued = find(token)
    return issued !== undefined && isLive(issued) ? issued.grant : undefined
  }

  return {
    set: (token, grant, seconds = lifetimeSeconds) => tokens.set(token, { grant, issuedAtMs: Date.now(), seconds }),
    get,
    find,
    take(token) {
      const grant = get(token)
      tokens.take(token)
      return grant
    },
    secondsLeft(token) {
      const issued = find(token)
      return issued !== undefined && isLive(issued) ? Math.ceil((issued.expiresAtMs - Date.now()) / 1_000) : 0
    },
  }
}
