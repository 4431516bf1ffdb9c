import { type Bus, newCall, subscribeNotice } from '#bus'
import { providerAuthContract } from '#contracts'
import { type Logger, repeatInBackground } from '#runtime'
import type { ApiHostTable } from './api-hosts.ts'
import type { ServiceClients } from './bus.ts'
import { createChangeReader } from './replicate-changes.ts'

/** In case a notice was lost. Our choice. */
const intervalMs = 5_000

/** Hosts per call. */
const pageSize = 1_000

/**
 * Replicates the sites' own hosts of the Web API from provider-auth, in the background: a gateway also starts and serves while
 * provider-auth is unavailable. Until the first read, no host is known, and requests are those on the installation's own host.
 */
export function replicateApiHosts(
  table: ApiHostTable,
  { bus, providerAuth, logger }: { bus: Bus; providerAuth: ServiceClients['providerAuth']; logger: Logger },
): Disposable {
  const readChanges = createChangeReader(table, async (afterRevision) => {
    const page = { after_revision: afterRevision, limit: pageSize }
    const { hosts, revision } = await providerAuth.listApiHosts(page, newCall())
    return { changes: hosts, revision }
  })
  // The next regular read repeats a failed one, and logs if it fails, too.
  const onChange = () => void readChanges().catch(() => {})
  const stack = new DisposableStack()
  stack.use(subscribeNotice(bus, providerAuthContract, 'settingsChanged', onChange, logger))
  stack.use(repeatInBackground(readChanges, { intervalMs, logger, failure: 'hosts of sites not read; retrying' }))
  return stack
}
