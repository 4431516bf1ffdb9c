import { hostProofPath } from '#contracts'
import type { Context } from '#http'
import { parseHost } from './base.ts'

/** Serves the proof of a site's host that points here: its DNS still does what the site's owner made it do. */
export function createHostProofRoute(
  findHostProof: (host: string) => string | undefined,
): (ctx: Context, next: () => Promise<unknown>) => Promise<unknown> {
  return async (ctx, next) => {
    const proof = ctx.path === hostProofPath ? findHostProof(parseHost(ctx.headers.host)) : undefined
    if (proof === undefined) return next()
    ctx.state.route = hostProofPath
    ctx.type = 'text/plain; charset=utf-8'
    ctx.body = proof
  }
}
