import { type Call, newCall, remainingMs } from '#bus'
import { type CompatibilityOption, Fault } from '#contracts'
import type { Logger } from '#runtime'
import type { ServiceClients } from './bus.ts'

/**
 * Whether a site has a compatibility option, as of at most a second ago. While identity is unavailable, the options
 * that were read last apply; a site that was not read yet has none.
 */
export type HasCompatibility = (site: number, option: CompatibilityOption, call: Call) => Promise<boolean>

/** Our choice, as for the settings of this service. */
const maximumAgeMs = 1_000
/** How long a response waits for the options. Our choice. */
const timeoutMs = 1_000
/** Sites in memory; beyond that, all are read again. Our choice. */
const maximumSites = 10_000

interface Read {
  readonly options: readonly CompatibilityOption[]
  readonly at: number
}

export function createCompatibilityReader({
  identity,
  logger,
}: Pick<ServiceClients, 'identity'> & { readonly logger: Logger }): HasCompatibility {
  const bySite = new Map<number, Read>()
  return async (site, option, call) => {
    const entry = bySite.get(site)
    if (entry !== undefined && performance.now() - entry.at < maximumAgeMs) return entry.options.includes(option)
    const limited = newCall({ request_id: call.request_id, withinMs: Math.min(remainingMs(call), timeoutMs) })
    try {
      const { compatibility } = await identity.readCompatibility({ site }, limited).catch(toNoOptions)
      if (bySite.size >= maximumSites) bySite.clear()
      bySite.set(site, { options: compatibility, at: performance.now() })
      return compatibility.includes(option)
    } catch (error) {
      logger.warn({ error, request_id: call.request_id }, 'the compatibility options of the site cannot be read')
      return entry?.options.includes(option) ?? false
    }
  }
}

/** A forged token can name a site that does not exist. */
function toNoOptions(error: unknown): { compatibility: readonly CompatibilityOption[] } {
  if (error instanceof Fault && error.fault === 'entity_not_found') return { compatibility: [] }
  throw error
}
