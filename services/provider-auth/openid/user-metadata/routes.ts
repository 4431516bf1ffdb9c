import type Router from '@koa/router'
import { newCall } from '#bus'
import { type Context, createRouter, type RequestState } from '#http'
import type { Deps } from '../../deps.ts'
import type { DepsAt } from '../../hosts/deps-at-host.ts'
import { jsonEndpoint, preflight } from '../../http/json-endpoint.ts'
import { readAccessToken } from '../userinfo/access-token.ts'
import { createChangeLimiter } from './change-limiter.ts'
import { patchMediaTypes, readMetadataPatch, readRevision } from './patch-request.ts'
import { type ApplicationMetadata, changeUserMetadata, findMetadataGrant, readUserMetadata } from './user-metadata.ts'
import { userMetadataPath } from './user-metadata-path.ts'

/** The endpoint at which applications read and change `user_metadata` of the user who logged in, with an access token. */
export function userMetadataRoutes(at: DepsAt, { redis }: Pick<Deps, 'redis'>): Router<RequestState> {
  const router = createRouter()
  const countChange = createChangeLimiter({ redis })
  router.use(jsonEndpoint)
  router.use((ctx, next) => {
    ctx.set('Access-Control-Expose-Headers', 'ETag, Retry-After, WWW-Authenticate, X-Request-Id')
    // RFC 5789 3.1.
    ctx.set('Accept-Patch', patchMediaTypes.join(', '))
    return next()
  })
  router.options(userMetadataPath, preflight('GET, PATCH', ['If-Match']))
  router.get(userMetadataPath, async (ctx) => {
    const deps = at(ctx)
    const grant = await findMetadataGrant(await readAccessToken(ctx), deps)
    send(ctx, await readUserMetadata(grant, deps, newCall({ request_id: ctx.state.request_id })))
  })
  router.patch(userMetadataPath, async (ctx) => {
    const deps = at(ctx)
    const grant = await findMetadataGrant(await readAccessToken(ctx), deps)
    await countChange(grant)
    const change = { expected_revision: readRevision(ctx), user_metadata: await readMetadataPatch(ctx) }
    send(ctx, await changeUserMetadata(grant, change, deps, newCall({ request_id: ctx.state.request_id })))
  })
  return router
}

/** The resource is the part itself, so that it can be patched as it is read. */
function send(ctx: Context, { user_metadata, revision }: ApplicationMetadata): void {
  ctx.set('ETag', `"${revision}"`)
  ctx.body = user_metadata
}
