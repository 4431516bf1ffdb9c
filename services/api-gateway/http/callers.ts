import type { Registry } from 'prom-client'
import { Fault } from '#contracts'
import { type Context, callerAddress } from '#http'
import type { Site, SiteTable } from '../site-table.ts'
import { namedKey } from './api-key.ts'
import { createRefusals } from './refusals.ts'
import type { Sent } from './sent.ts'

/** Tells whose request this is; who may not come in is refused: 401/1 by the key, 403 by the address, then by the base. */
export type Recognize = (ctx: Context, sent: Sent) => Promise<Site>

export interface CallersOptions {
  readonly sites: SiteTable
  readonly trusted_hops: number
  readonly static_base_host: string | undefined
  readonly window_seconds: number
  readonly registry: Registry
}

/** A table older than this may hold revoked keys: nobody is let in by it. Our choice. */
const oldest_table_ms = 30_000

export function createRecognize(options: CallersOptions): Recognize {
  const { sites, trusted_hops, static_base_host, window_seconds, registry } = options
  const refuse = createRefusals(registry, window_seconds)

  return async (ctx, sent) => {
    if (sites.age_ms() > oldest_table_ms) throw new Fault('unavailable')
    const address = callerAddress(ctx.req, trusted_hops)
    ctx.state.address = address
    const key = namedKey(ctx.req, sent)
    const site = key === undefined ? undefined : sites.find(key)
    if (site === undefined) return refuse(ctx, 'invalid_api_key', address)
    ctx.state.site_name = `${site.account}/${site.site_id}`
    ctx.state.site = site.site
    ctx.state.api_key_id = site.api_key_id
    if (!site.isAllowed(address)) return refuse(ctx, 'address_not_allowed', address)
    const is_static_base = static_base_host !== undefined && hostOf(ctx.req.headers.host) === static_base_host
    if (is_static_base && !site.fixed_address_option) return refuse(ctx, 'option_contract_needed', address)
    return site
  }
}

/** The name in a `Host` field, without port. */
function hostOf(field = ''): string {
  return field.replace(/:\d+$/, '').toLowerCase()
}
