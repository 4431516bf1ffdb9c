import { type Context, callerAddress, addressGroupOf as sourceOfAddress } from '#http'
import type { Deps } from '../deps.ts'

/** The source of a request, for limits. */
export function sourceOf(ctx: Context, { trusted_hops }: Pick<Deps, 'trusted_hops'>): string {
  return sourceOfAddress(callerAddress(ctx.req, trusted_hops))
}
