import { setTimeout as delay } from 'node:timers/promises'
import type { Registry } from 'prom-client'
import { type Call, remainingMs } from '#bus'
import { createCounter } from '#runtime'
import { isRefreshDue } from '../domain/token-expiry.ts'
import type { EncryptedCredential } from '../store/encrypted-credentials.ts'
import { type RefreshDeps, refreshCredential } from './refresh-credential.ts'
import { waitForRefresh } from './wait-for-refresh.ts'

/** Keeps provider tokens that are handed out from having ended. */
export interface CredentialRefresher extends AsyncDisposable {
  /**
   * The credential, its tokens renewed first when they have ended or are about to. Never fails, and never outlasts the
   * caller's time: of a provider that is slow or away, or wants the person to log in, the stored tokens stay what they are.
   */
  readonly refreshIfExpired: (stored: EncryptedCredential, call: Call) => Promise<EncryptedCredential>
}

/** How long a caller waits for a renewal, and what of its time is left for the answer. Our choice. */
const waitMs = 2_500
const responseMarginMs = 300

/**
 * Of all replicas one renews a credential, and in one flight for all its callers. A flight goes on when they have left, as
 * the provider may have replaced the refresh token by then; disposing waits for the flights.
 */
export function createCredentialRefresher({
  registry,
  ...parts
}: RefreshDeps & { readonly registry: Registry }): CredentialRefresher {
  const { knex, findProviderClient, logger } = parts
  const refreshes = createCounter(registry, 'sociallogin_credentials_refresh_total')
  const inFlight = new Map<string, Promise<EncryptedCredential | undefined>>()

  const startRefresh = async (stored: EncryptedCredential) => {
    const { provider } = stored
    try {
      const { outcome, refreshed } = await refreshCredential(stored, parts)
      if (outcome === 'taken') return await waitForRefresh(stored, { knex, timeoutMs: waitMs })
      refreshes.inc({ provider, outcome })
      return refreshed
    } catch (error) {
      logger.error({ error, provider }, 'a renewal of tokens broke off')
      return undefined
    } finally {
      inFlight.delete(stored.token_set)
    }
  }

  return {
    async refreshIfExpired(stored, call) {
      if (!isRefreshDue(stored, Date.now()) || findProviderClient(stored.provider)?.refresh === undefined) return stored
      const refresh = inFlight.get(stored.token_set) ?? startRefresh(stored)
      inFlight.set(stored.token_set, refresh)
      const withinMs = Math.max(0, Math.min(waitMs, remainingMs(call) - responseMarginMs))
      return (await Promise.race([refresh, delay(withinMs, undefined, { ref: false })])) ?? stored
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(inFlight.values())
    },
  }
}
