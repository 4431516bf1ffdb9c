import { setInterval } from 'node:timers/promises'
import type { Knex } from 'knex'
import { type Bus, publishNotice } from '#bus'
import { identityContract } from '#contracts'
import { transaction } from '#database'
import type { Deps } from './deps.ts'
import { findNewestRevision, incrementNewestRevision } from './store/site-revisions.ts'

/** A revoked key stops working within a second, even if the notice of the change is lost. */
const heartbeatMs = 1_000

/**
 * Runs a change of one site in a transaction and publishes it after the commit. Changes are serialized, each with the next
 * revision, so that they become visible in order and a reader of newer revisions misses none.
 */
export async function commitSiteChange<T>(
  { knex, publishSitesChanged }: Deps,
  change: (trx: Knex.Transaction, revision: number) => Promise<T>,
): Promise<T> {
  const { result, revision } = await transaction(knex, async (trx) => {
    const revision = await incrementNewestRevision(trx)
    return { result: await change(trx, revision), revision }
  })
  publishSitesChanged(revision)
  return result
}

/** Publishes the newest revision of sites to the gateways. Does nothing while disconnected. */
export function publishSitesChanged(bus: Bus, revision: number): void {
  if (bus.connected()) publishNotice(bus, identityContract, 'sitesChanged', { revision })
}

/** Publishes the newest revision every second, in case a notice was lost. */
export function startHeartbeat({ knex, publishSitesChanged }: Deps): AsyncDisposable {
  const stop = new AbortController()
  const beat = async () => {
    for await (const _ of setInterval(heartbeatMs, undefined, { signal: stop.signal })) {
      try {
        publishSitesChanged(await findNewestRevision(knex))
      } catch {
        // Postgres or NATS is unavailable; the next heartbeat retries.
      }
    }
  }
  // The signal rejects the interval.
  const ended = beat().catch(() => {})
  return {
    async [Symbol.asyncDispose]() {
      stop.abort()
      await ended
    },
  }
}
