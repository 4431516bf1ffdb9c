import rawBody from 'raw-body'
import type { Context } from '#http'

/**
 * Undefined for what is not JSON or longer than 64 KiB. A page of another site cannot send this content type without asking
 * the simulator first, which does not answer it.
 */
export async function readJson(ctx: Context): Promise<unknown> {
  if (!ctx.is('application/json')) return undefined
  try {
    return JSON.parse(await rawBody(ctx.req, { limit: 65_536, encoding: 'utf8' }))
  } catch {
    return undefined
  }
}
