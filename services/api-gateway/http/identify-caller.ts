import type { Registry } from 'prom-client'
import { Fault } from '#contracts'
import { type Context, callerAddress } from '#http'
import { createCounter, createGauge } from '#runtime'
import type { SiteEntry, SiteTable } from '../site-table.ts'
import { type Base, isServedAt } from './base.ts'
import type { RejectCaller, Rejection } from './reject-caller.ts'

/**
 * Identifies the calling site by the API keys in the request. Rejects unknown keys (401, code 1) and requests without a key
 * (`withoutKey`), then disallowed addresses (403), then the alternate base URL without the option (403). On a site's own host,
 * keys of other sites are unknown; on a host that is not in use any more, all keys are.
 */
export type IdentifyCaller = (ctx: Context, keys: readonly string[], withoutKey?: Rejection) => Promise<SiteEntry>

export interface IdentifyCallerOptions {
  readonly sites: SiteTable
  readonly trusted_hops: number
  readonly baseOf: (request: Context['req']) => Base
  readonly reject: RejectCaller
  readonly registry: Registry
}

/** An older table may contain revoked keys, so all requests are rejected. Our choice. */
export const maximumTableAgeMs = 30_000

export function createIdentifyCaller(options: IdentifyCallerOptions): IdentifyCaller {
  const { sites, trusted_hops, baseOf, reject, registry } = options
  const checks = createCounter(registry, 'sociallogin_apikey_checks_total')
  createGauge(registry, 'sociallogin_site_table_age_seconds', (gauge) => gauge.set(sites.ageMs() / 1_000))

  return async (ctx, keys, withoutKey = 'invalid_api_key') => {
    if (sites.ageMs() > maximumTableAgeMs) throw new Fault('unavailable')
    const address = callerAddress(ctx.req, trusted_hops)
    ctx.state.address = address
    const [key, ...more] = keys
    if (key === undefined) throw await reject(ctx, withoutKey, address)
    const site = more.length > 0 ? undefined : sites.find(key)
    const base = baseOf(ctx.req)
    // The response to another site's key is that to an unknown one, so that it does not reveal whose key it is.
    if (site === undefined || !isServedAt(base, site.site)) throw await reject(ctx, 'invalid_api_key', address)
    ctx.state.siteName = `${site.account}/${site.site_id}`
    ctx.state.site = site.site
    ctx.state.api_key_id = site.api_key_id
    ctx.state.hasShortErrors = site.compatibility.includes('short_errors')
    if (!site.isAllowed(address)) throw await reject(ctx, 'address_not_allowed', address)
    if (base.isStatic && !site.fixed_address_option) throw await reject(ctx, 'option_contract_needed', address)
    checks.inc({ result: 'ok' })
    return site
  }
}
