import type { IncomingMessage } from 'node:http'
import { callerAddress, type RequestState } from '#http'
import type { SiteEntry, SiteTable } from '../site-table.ts'
import { type Base, isServedAt } from './base.ts'
import type { Rejection } from './reject-caller.ts'

/** The caller of a request: the site that it belongs to, or why it is rejected. */
export type CheckedCaller =
  | { readonly address: string | undefined; readonly site: SiteEntry; readonly rejection?: undefined }
  | { readonly address: string | undefined; readonly site?: SiteEntry; readonly rejection: Rejection }

/**
 * Identifies the calling site by the API keys in the request. Rejects unknown keys (401, code 1) and requests without a key
 * (`withoutKey`), then disallowed addresses (403), then the alternate base URL without the option (403). On a site's own host,
 * keys of other sites are unknown; on a host that is not in use any more, all keys are. Changes nothing.
 *
 * @returns undefined if no key can be checked (503)
 */
export type CheckCaller = (
  request: IncomingMessage,
  keys: readonly string[],
  withoutKey?: Rejection,
) => CheckedCaller | undefined

/** An older table may contain revoked keys, so all requests are rejected. Our choice. */
const maximumTableAgeMs = 30_000

export function createCallerCheck({
  sites,
  trusted_hops,
  baseOf,
}: {
  readonly sites: Pick<SiteTable, 'find' | 'ageMs'>
  readonly trusted_hops: number
  readonly baseOf: (request: IncomingMessage) => Base
}): CheckCaller {
  return (request, keys, withoutKey = 'invalid_api_key') => {
    if (sites.ageMs() > maximumTableAgeMs) return undefined
    const address = callerAddress(request, trusted_hops)
    const [key, ...more] = keys
    if (key === undefined) return { address, rejection: withoutKey }
    const site = more.length > 0 ? undefined : sites.find(key)
    const base = baseOf(request)
    // The response to another site's key is that to an unknown one, so that it does not reveal whose key it is.
    if (site === undefined || !isServedAt(base, site.site)) return { address, rejection: 'invalid_api_key' }
    if (!site.isAllowed(address)) return { address, site, rejection: 'address_not_allowed' }
    if (base.isStatic && !site.fixed_address_option) return { address, site, rejection: 'option_contract_needed' }
    return { address, site }
  }
}

/** What the log, the counters and errors show of the caller of a request. */
export function describeCaller({ address, site }: CheckedCaller): Partial<RequestState> {
  if (site === undefined) return { address }
  return {
    address,
    siteName: `${site.account}/${site.site_id}`,
    site: site.site,
    api_key_id: site.api_key_id,
    hasShortErrors: site.compatibility.includes('short_errors'),
  }
}
