import { createExpiringMap, type ExpiringMap } from '../expiring-map.ts'
import type { Behaviours } from './behaviours.ts'

interface Issuing {
  readonly provider: string
  /** Only access tokens can be had to expire soon. */
  readonly kind: 'access' | 'lasting'
  readonly life_seconds: number
  readonly behaviours: Behaviours
}

/**
 * Tokens a provider handed out, each with what it allows whom. One that a person's behaviour ended is not there, so that the
 * provider refuses it as it refuses any token it does not know.
 */
export function createTokens<G extends { readonly name: string }>({
  provider,
  kind,
  life_seconds,
  behaviours,
}: Issuing): ExpiringMap<G> {
  const tokens = createExpiringMap<{ grant: G; issued_at_ms: number }>(life_seconds)

  /** Milliseconds that the token still works. */
  const left = (token: string | undefined): number => {
    const issued = tokens.get(token)
    if (token === undefined || issued === undefined) return 0
    const { grant, issued_at_ms } = issued
    if (behaviours.hasEnded(provider, grant.name, issued_at_ms)) return 0
    const short = kind === 'access' ? behaviours.of(provider, grant.name).get('short_access_tokens') : undefined
    const life_ms = Math.min(life_seconds, short?.seconds ?? life_seconds) * 1_000
    return Math.max(0, issued_at_ms + life_ms - Date.now())
  }

  return {
    set: (token, grant) => tokens.set(token, { grant, issued_at_ms: Date.now() }),
    get: (token) => (left(token) > 0 ? tokens.get(token)?.grant : undefined),
    take(token) {
      const is_live = left(token) > 0
      const issued = tokens.take(token)
      return is_live ? issued?.grant : undefined
    },
    seconds_left: (token) => Math.ceil(left(token) / 1_000),
  }
}
