import { setTimeout as delay } from 'node:timers/promises'
import { type Bus, newCall, subscribeNotice } from '#bus'
import { identityContract } from '#contracts'
import type { Logger } from '#runtime'
import type { ServiceClients } from './bus.ts'
import { createChangeReader } from './replicate-changes.ts'
import type { SiteTable } from './site-table.ts'

/** A gateway that could not read the sites for so long starts without them, and returns 503 until it has. Our choice. */
const firstReadMs = 30_000
const firstReadRetryMs = 500

/** Sites per call; larger tables are read page by page. */
const pageSize = 1_000

/**
 * Replicates sites and keys from identity: all of them at first, then the changes whenever a notice has a newer revision.
 * Resolves after the first read, so that a gateway that starts does not reject valid keys. Notices arrive every second, so the next one makes up for a lost notice or a failed call.
 */
export async function replicateSites(
  table: SiteTable,
  { bus, identity, logger }: { bus: Bus; identity: ServiceClients['identity']; logger: Logger },
): Promise<Disposable> {
  const readChanges = createChangeReader(table, async (afterRevision) => {
    const { sites, revision } = await identity.listSites({ after_revision: afterRevision, limit: pageSize }, newCall())
    return { changes: sites, revision }
  })
  const readOnce = () =>
    readChanges().catch((error: unknown) => {
      logger.warn({ error }, 'sites and keys not read; retrying at the next notice')
    })

  const subscription = subscribeNotice(
    bus,
    identityContract,
    'sitesChanged',
    ({ revision }) => {
      if (revision > table.revision()) void readOnce()
      if (revision === table.revision()) table.confirm(revision, performance.now())
    },
    logger,
  )
  const giveUpAt = performance.now() + firstReadMs
  for (;;) {
    await readOnce()
    if (table.revision() >= 0 || performance.now() > giveUpAt) return subscription
    await delay(firstReadRetryMs)
  }
}
