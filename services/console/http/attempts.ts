import ipaddr from 'ipaddr.js'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { limits } from '#contracts'
import type { Context } from '#http'
import { AdminFault } from '../procedures/procedure.ts'

/** Counts an attempt to sign in, or a bad token, of an address; refuses when there were too many of them. */
export type CountAttempt = (ctx: Context, address: string | undefined) => Promise<void>

/** Counted by each replica alone: what is guessed at has 128 random bits at least, so this only keeps the noise down. */
export function countAttempts(): CountAttempt {
  const counts = new RateLimiterMemory({
    points: Number.MAX_SAFE_INTEGER,
    duration: limits.console_attempts_window_seconds,
    keyPrefix: '',
  })
  return async (ctx, address) => {
    const { consumedPoints, msBeforeNext } = await counts.consume(sourceOf(address))
    if (consumedPoints <= limits.console_attempts_per_window) return
    ctx.set('Retry-After', String(Math.floor(msBeforeNext / 1_000) + 1))
    throw new AdminFault('too_many_requests')
  }
}

/** An IPv4 address, or the /64 that one IPv6 caller usually has to itself. */
function sourceOf(address: string | undefined): string {
  if (address === undefined) return 'unknown'
  if (!address.includes(':')) return address
  return ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`).toString()
}
