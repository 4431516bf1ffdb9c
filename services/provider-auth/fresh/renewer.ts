import { setTimeout as delay } from 'node:timers/promises'
import type { Registry } from 'prom-client'
import { type Call, remainingMs } from '#bus'
import { createCounter } from '#runtime'
import { isRenewalDue } from '../domain/freshness.ts'
import type { EncryptedCredential } from '../store/encrypted-credentials.ts'
import { type RenewalParts, renew } from './renew.ts'
import { whenRenewedElsewhere } from './when-renewed-elsewhere.ts'

/** Keeps provider tokens that are handed out from having ended. */
export interface Renewer extends AsyncDisposable {
  /**
   * The credential, its tokens renewed first when they have ended or are about to. Never fails, and never outlasts the
   * caller's time: of a provider that is slow or away, or wants the person to log in, the stored tokens stay what they are.
   */
  readonly freshen: (stored: EncryptedCredential, call: Call) => Promise<EncryptedCredential>
}

/** How long a caller waits for a renewal, and what of its time is left for the answer. Our choice. */
const waitMs = 2_500
const answerMs = 300

/**
 * Of all replicas one renews a credential, and in one flight for all its callers. A flight goes on when they have left, as
 * the provider may have replaced the refresh token by then; disposing waits for the flights.
 */
export function createRenewer({ registry, ...parts }: RenewalParts & { readonly registry: Registry }): Renewer {
  const { knex, findLoginProvider, logger } = parts
  const renewals = createCounter(registry, 'sociallogin_credentials_refresh_total')
  const flights = new Map<string, Promise<EncryptedCredential | undefined>>()

  const begin = async (stored: EncryptedCredential) => {
    const { provider } = stored
    try {
      const { outcome, renewed } = await renew(stored, parts)
      if (outcome === 'taken') return await whenRenewedElsewhere(stored, { knex, withinMs: waitMs })
      renewals.inc({ provider, outcome })
      return renewed
    } catch (error) {
      logger.error({ error, provider }, 'a renewal of tokens broke off')
      return undefined
    } finally {
      flights.delete(stored.token_set)
    }
  }

  return {
    async freshen(stored, call) {
      if (!isRenewalDue(stored, Date.now()) || findLoginProvider(stored.provider)?.refresh === undefined) return stored
      const flight = flights.get(stored.token_set) ?? begin(stored)
      flights.set(stored.token_set, flight)
      const withinMs = Math.max(0, Math.min(waitMs, remainingMs(call) - answerMs))
      return (await Promise.race([flight, delay(withinMs, undefined, { ref: false })])) ?? stored
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(flights.values())
    },
  }
}
