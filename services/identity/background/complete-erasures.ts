import { type Call, newCall } from '#bus'
import { retainedData } from '#contracts'
import { deriveUuid, repeatInBackground, toTimestamp } from '#runtime'
import type { ServiceClients } from '../bus.ts'
import type { Deps } from '../deps.ts'
import { confirmErasurePart, insertErasurePart, listErasureParts } from '../store/erasures.ts'
import { completeErasure, type IncompleteErasure, listDueErasures, takeErasure } from '../store/incomplete-erasures.ts'
import { findSiteByNumber } from '../store/sites.ts'

// Our choices: a receipt is complete a few seconds after the deletion.
const intervalMs = 2_000
const batchSize = 100

interface Parts extends Pick<Deps, 'knex' | 'logger'> {
  readonly clients: {
    readonly events: Pick<ServiceClients['events'], 'readEventErasure'>
    readonly provider_auth: Pick<ServiceClients['provider_auth'], 'signErasureReceipt'>
  }
}

/**
 * Completes the receipts of deletions once every service has deleted, until disposed. Replicas can look at the same deletion at the
 * same time: the first receipt is stored.
 */
export function startCompletingErasures(parts: Parts): Disposable {
  return repeatInBackground(() => completeErasures(parts), {
    intervalMs,
    logger: parts.logger,
    failure: 'receipts of deletions not completed; retrying',
  })
}

async function completeErasures(parts: Parts): Promise<void> {
  for (;;) {
    const due = await listDueErasures(parts.knex, batchSize)
    for (const erasure of due)
      if (await takeErasure(parts.knex, erasure))
        // The others must not wait because a service is unavailable.
        await completeIfErased(erasure, parts, newCall()).catch((error: unknown) => {
          parts.logger.warn({ error, site: erasure.site }, 'receipt of a deletion not completed; retrying')
        })
    if (due.length < batchSize) return
  }
}

async function completeIfErased(erasure: IncompleteErasure, { knex, clients }: Parts, call: Call): Promise<void> {
  const { site, identifier, deleted_at, requested_by, requested_at, services } = erasure
  const parts = [...(await listErasureParts(knex, erasure))]
  const isConfirmed = (service: string) => parts.some((part) => part.service === service)
  if (services.some((service) => service !== 'events' && !isConfirmed(service))) return
  if (!isConfirmed('events')) {
    const key = { site, identifier, deleted_at: deleted_at.toISOString() }
    const { deleted } = await clients.events.readEventErasure(key, call)
    if (deleted === null) return
    await insertErasurePart(knex, erasure, 'events', deleted)
    await confirmErasurePart(knex, erasure, 'events')
    parts.splice(0, parts.length, ...(await listErasureParts(knex, erasure)))
  }
  const details = await findSiteByNumber(knex, site)
  // The site was deleted, and its receipts will be.
  if (details === undefined) return
  const toPart = (service: (typeof services)[number]) =>
    parts
      .filter((part) => part.service === service)
      .map(({ erased_at, deleted }) => ({ service, erased_at: toTimestamp(erased_at), deleted }))
  const signed = await clients.provider_auth.signErasureReceipt(
    {
      receipt_id: deriveUuid(`erasure receipt ${site} ${identifier} ${deleted_at.getTime()}`),
      erasure: {
        account: details.account,
        site_id: details.site_id,
        identifier,
        requested_by,
        requested_at: toTimestamp(requested_at),
        deleted_at: toTimestamp(deleted_at),
        services: services.flatMap(toPart),
        retained: [...retainedData],
      },
    },
    call,
  )
  await completeErasure(knex, erasure, signed)
}
