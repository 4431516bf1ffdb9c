import { setInterval } from 'node:timers/promises'
import type { Knex } from 'knex'
import { type Bus, publishNotice } from '#bus'
import { identity } from '#contracts'
import { transaction } from '#database'
import type { Deps } from './deps.ts'
import { findNewestRevision, incrementNewestRevision } from './store/site-revisions.ts'

/** "Within a second" is what the product promises of a revoked key, also when the notice of the change itself is lost. */
const heartbeatMs = 1_000

/**
 * Runs a change of one site in a transaction and tells it when it is committed. Changes take turns, each with the next
 * revision, so that they become visible in the order of their revisions and who asks for what is newer misses none.
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

/** Tells the gateways how far the changes of sites have come; while the connection is away nobody would hear it. */
export function publishSitesChanged(bus: Bus, revision: number): void {
  if (bus.connected()) publishNotice(bus, identity, 'sitesChanged', { revision })
}

/** Repeats the newest revision every second, so that a lost notice is noticed. */
export function startHeartbeat({ knex, publishSitesChanged }: Deps): AsyncDisposable {
  const stop = new AbortController()
  const beat = async () => {
    for await (const _ of setInterval(heartbeatMs, undefined, { signal: stop.signal })) {
      try {
        publishSitesChanged(await findNewestRevision(knex))
      } catch {
        // Without Postgres or NATS nothing can be told; the next beat tries again.
      }
    }
  }
  // The signal ends the interval by a rejection.
  const ended = beat().catch(() => {})
  return {
    async [Symbol.asyncDispose]() {
      stop.abort()
      await ended
    },
  }
}
