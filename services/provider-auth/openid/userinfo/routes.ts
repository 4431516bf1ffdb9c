import type Router from '@koa/router'
import { newCall } from '#bus'
import type { Context, RequestState } from '#http'
import { createRouter } from '#http'
import type { DepsAt } from '../../hosts/deps-at-host.ts'
import { jsonEndpoint, preflight } from '../../http/json-endpoint.ts'
import { readAccessToken } from './access-token.ts'
import { readUserinfo } from './userinfo.ts'

/** The userinfo endpoint (OpenID Connect Core 5.3). */
export function userinfoRoutes(at: DepsAt): Router<RequestState> {
  const router = createRouter()
  const handle = async (ctx: Context) => {
    const accessToken = await readAccessToken(ctx)
    ctx.body = await readUserinfo(accessToken, at(ctx), newCall({ request_id: ctx.state.request_id }))
  }
  router.use(jsonEndpoint)
  router.options('/oauth2/userinfo', preflight('GET, POST'))
  router.get('/oauth2/userinfo', handle)
  router.post('/oauth2/userinfo', handle)
  return router
}
