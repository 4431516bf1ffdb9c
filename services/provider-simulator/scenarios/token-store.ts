import { createExpiringMap, type ExpiringMap } from '../expiring-map.ts'
import { simulatedClock } from '../simulated-clock.ts'
import type { Scenarios } from './scenarios.ts'

/** A token that a provider issued, valid or not. */
export interface IssuedToken<G> {
  readonly grant: G
  readonly issuedAtMs: number
  readonly expiresAtMs: number
}

/** Tokens of one kind that a provider issued. `get` and `take` find only those that no scenario has invalidated. */
export interface TokenStore<G> extends ExpiringMap<G> {
  readonly set: (token: string, grant: G, lifetimeSeconds?: number) => void
  /** Also finds invalid tokens, as long as they are stored. */
  readonly find: (token: string | undefined) => IssuedToken<G> | undefined
  /** Whole seconds until the token expires, as in `expires_in`. */
  readonly secondsLeft: (token: string) => number
}

interface Options {
  readonly provider: string
  /** The scenario `short_access_tokens` affects only access tokens. */
  readonly kind: 'access' | 'lasting'
  readonly lifetimeSeconds: number
  /** How long a token can be found; by default as long as it is valid. */
  readonly storedSeconds?: number
  readonly scenarios: Scenarios
}

export function createTokenStore<G extends { readonly name: string }>({
  provider,
  kind,
  lifetimeSeconds,
  storedSeconds = lifetimeSeconds,
  scenarios,
}: Options): TokenStore<G> {
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
    expiresAtMs > simulatedClock.now() && !scenarios.hasEndedGrant(provider, grant.name, issuedAtMs)

  const get = (token: string | undefined) => {
    const issued = find(token)
    return issued !== undefined && isLive(issued) ? issued.grant : undefined
  }

  return {
    set: (token, grant, seconds = lifetimeSeconds) =>
      tokens.set(token, { grant, issuedAtMs: simulatedClock.now(), seconds }),
    get,
    find,
    take(token) {
      const grant = get(token)
      tokens.take(token)
      return grant
    },
    secondsLeft(token) {
      const issued = find(token)
      return issued !== undefined && isLive(issued) ? Math.ceil((issued.expiresAtMs - simulatedClock.now()) / 1_000) : 0
    },
  }
}
