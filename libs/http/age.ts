import type { Context } from './app.ts'

const maxAge = /(?:^|[\s,])max-age=(\d{1,9})(?:$|[\s,])/i

/**
 * How old the response may be that the caller accepts, in ms: `max-age` of the request's `Cache-Control` (RFC 9111 5.2.1.1). Undefined
 * without it.
 */
export function readMaxAge(ctx: Context): number | undefined {
  const [, seconds] = maxAge.exec(ctx.get('Cache-Control')) ?? []
  return seconds === undefined ? undefined : Number(seconds) * 1_000
}

/** Sets `Age` (RFC 9111 5.1) if the response can lack the latest changes. */
export function setAge(ctx: Context, ageMs = 0): void {
  if (ageMs > 0) ctx.set('Age', String(Math.ceil(ageMs / 1_000)))
}
