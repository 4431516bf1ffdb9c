import { type Context, callerAddress, addressGroupOf as sourceOfAddress } from '#http'
import type { Deps } from '../deps.ts'

/** Returns the source of a request, for rate limits. */
export function sourceOf(ctx: Context, { trustedHops }: Pick<Deps, 'trustedHops'>): string {
  return sourceOfAddress(callerAddress(ctx.req, trustedHops))
}
