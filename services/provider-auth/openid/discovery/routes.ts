import { createHash } from 'node:crypto'
import type Router from '@koa/router'
import type { Context, RequestState } from '#http'
import { createRouter } from '#http'
import type { Deps } from '../../deps.ts'
import type { DepsAt } from '../../hosts/deps-at-host.ts'
import { jsonEndpoint, preflight } from '../../http/json-endpoint.ts'
import { jwksMaxAgeSeconds } from '../signing-keys/schedule.ts'
import { providerMetadata } from './metadata.ts'

/** The discovery document and the key set, served from memory. */
export function discoveryRoutes(at: DepsAt): Router<RequestState> {
  const router = createRouter()
  router.use(jsonEndpoint)
  const serve = (path: string, read: (deps: Deps) => object) => {
    router.options(path, preflight('GET'))
    router.get(path, (ctx) => sendCached(ctx, JSON.stringify(read(at(ctx)))))
  }
  const readMetadata = ({ auth_url, webApiUrl, languages }: Deps) =>
    providerMetadata(auth_url, webApiUrl, languages.tags)
  serve('/.well-known/openid-configuration', readMetadata)
  serve('/.well-known/oauth-authorization-server', readMetadata)
  serve('/oauth2/jwks', ({ signingKeys }) => signingKeys.published())
  return router
}

function sendCached(ctx: Context, text: string): void {
  ctx.status = 200
  ctx.set('Cache-Control', `public, max-age=${jwksMaxAgeSeconds}`)
  ctx.set('ETag', `"${createHash('sha256').update(text).digest('base64url')}"`)
  ctx.type = 'application/json; charset=utf-8'
  if (ctx.fresh) ctx.status = 304
  else ctx.body = text
}
