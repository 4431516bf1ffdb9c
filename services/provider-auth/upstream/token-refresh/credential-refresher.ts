import { setTimeout as delay } from 'node:timers/promises'
import type { Registry } from 'prom-client'
import { type Call, remainingMs } from '#bus'
import { isBuiltIn, type Provider } from '#contracts'
import { createCounter } from '#runtime'
import type { FindProviderClient } from '../../domain/provider-client.ts'
import { isRefreshDue } from '../../domain/token-expiry.ts'
import type { EncryptedCredential } from '../../store/encrypted-credentials.ts'
import { toMetricLabel } from '../../usage/metric-label.ts'
import { builtInKey } from '../providers/index.ts'
import { type RefreshDeps, refreshCredential } from './refresh-credential.ts'
import { waitForRefresh } from './wait-for-refresh.ts'

/** Refreshes provider tokens before they are returned to callers. */
export interface CredentialRefresher extends AsyncDisposable {
  /**
   * Returns the credential, with refreshed tokens if they have expired or are about to. It never fails and never
   * exceeds the caller's deadline: if the provider is slow, unavailable or requires a login, it returns the stored
   * tokens.
   */
  readonly refreshIfExpired: (stored: EncryptedCredential, call: Call) => Promise<EncryptedCredential>
}

/** How long a caller waits for a refresh. An object, because tests change it, also for a slow machine. Our choice. */
export const refreshWait: { ms: number } = { ms: 2_500 }
/** How much of the caller's deadline is left for the response. Our choice. */
const responseMarginMs = 300

/**
 * One replica refreshes a credential at a time, with one request for all of its callers. The request continues after
 * the callers have left, because the provider may already have replaced the refresh token. Disposing waits for running
 * requests.
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
      if (outcome === 'taken') return await waitForRefresh(stored, { knex, timeoutMs: refreshWait.ms })
      refreshes.inc({ provider: toMetricLabel(provider), outcome })
      return refreshed
    } catch (error) {
      logger.error({ error, provider }, 'token refresh aborted')
      return undefined
    } finally {
      inFlight.delete(stored.token_set)
    }
  }

  return {
    async refreshIfExpired(stored, call) {
      if (!isRefreshDue(stored, Date.now()) || !mayRefresh(stored.provider, findProviderClient)) return stored
      const refresh = inFlight.get(stored.token_set) ?? startRefresh(stored)
      inFlight.set(stored.token_set, refresh)
      const withinMs = Math.max(0, Math.min(refreshWait.ms, remainingMs(call) - responseMarginMs))
      return (await Promise.race([refresh, delay(withinMs, undefined, { ref: false })])) ?? stored
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(inFlight.values())
    },
  }
}

/** Whether a provider's tokens can be refreshed; what a site configured is known when it is done. */
export function mayRefresh(provider: Provider, findProviderClient: FindProviderClient): boolean {
  return !isBuiltIn(provider) || findProviderClient(builtInKey(provider))?.refresh !== undefined
}
