import { limits } from '#contracts'
import { hashSecret, type Logger, type RedisClient } from '#runtime'

/** Maximum logins that a process remembers while Redis is unavailable. Our choice. */
const maxRemembered = 10_000

/** Used logins: each pending login can be completed once. */
export interface UsedLogins {
  /** Marks a login as used; false if it was already used. */
  readonly markUsed: (state: string, by?: 'own_browser' | 'other_browser') => Promise<boolean>
  /** Whether the login was used; false if that is unknown. */
  readonly isUsed: (state: string) => Promise<boolean>
  /** When the login's own browser used it, as Unix time; undefined if that is unknown or it did not. */
  readonly usedAtMs: (state: string) => Promise<number | undefined>
}

/**
 * Stores used logins for as long as their cookies are valid, in Redis for all replicas. While Redis is unavailable,
 * each process remembers its own, so that logins still work; providers do not accept the same code twice either.
 */
export function createUsedLogins({
  redis,
  logger,
}: {
  readonly redis: RedisClient
  readonly logger: Logger
}): UsedLogins {
  const remembered = new Set<string>()
  const remember = (key: string): boolean => {
    if (remembered.has(key)) return false
    remembered.add(key)
    const [oldest] = remembered
    if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest)
    return true
  }
  return {
    async markUsed(state, by = 'own_browser') {
      const key = keyOf(state)
      try {
        const set = await redis.set(
          key,
          by === 'own_browser' ? Date.now() : 0,
          'EX',
          limits.pending_login_seconds,
          'NX',
        )
        return set !== null && !remembered.has(key)
      } catch (error) {
        logger.warn({ error }, 'Redis is unavailable; a used login is remembered by this process only')
        return remember(key)
      }
    },
    async isUsed(state) {
      const key = keyOf(state)
      const count = await redis.exists(key).catch(() => 0)
      return count > 0 || remembered.has(key)
    },
    async usedAtMs(state) {
      return Number(await redis.get(keyOf(state)).catch(() => 0)) || undefined
    },
  }
}

function keyOf(state: string): string {
  return `provider-auth:used-login:${hashSecret(state)}`
}
