import { createHash } from 'node:crypto'
import type Router from '@koa/router'
import type { Context, RequestState } from '#http'
import { createRouter } from '#http'
import type { Deps } from '../deps.ts'
import { dataEndpoint, preflight } from '../http/data-endpoint.ts'
import { keysMaxAgeSeconds } from '../keys/pace.ts'
import { providerMetadata } from './metadata.ts'

/** Discovery and the public keys, answered from memory. */
export function discoveryRoutes({ auth_url, webApiUrl, keys }: Deps): Router<RequestState> {
  const router = createRouter()
  router.use(dataEndpoint)
  const serve = (path: string, read: () => object) => {
    router.options(path, preflight('GET'))
    router.get(path, (ctx) => answer(ctx, JSON.stringify(read())))
  }
  const metadata = providerMetadata(auth_url, webApiUrl)
  serve('/.well-known/openid-configuration', () => metadata)
  serve('/oauth2/jwks', keys.published)
  return router
}

function answer(ctx: Context, text: string): void {
  ctx.status = 200
  ctx.set('Cache-Control', `public, max-age=${keysMaxAgeSeconds}`)
  ctx.set('ETag', `"${createHash('sha256').update(text).digest('base64url')}"`)
  ctx.type = 'application/json; charset=utf-8'
  if (ctx.fresh) ctx.status = 304
  else ctx.body = text
}
