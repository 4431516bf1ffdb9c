import type Router from '@koa/router'
import { createRouter, type RequestState, rejectPrefetch } from '#http'
import type { DepsAt } from '../../hosts/deps-at-host.ts'
import { requireMethod } from '../../http/browser-endpoint.ts'
import { handleApplicationRequest } from '../../login/request/handle-request.ts'
import { chooseProvider } from './choose-provider.ts'
import { startAuthorization } from './start-authorization.ts'

/** The authorization endpoint (OpenID Connect Core 3.1.2), with the provider in its path or without. */
export function authorizationRoutes(at: DepsAt): Router<RequestState> {
  const router = createRouter()
  router.use(rejectPrefetch)
  router.all('/oauth2/authorize', async (ctx) => {
    requireMethod(ctx, ['GET', 'POST'])
    const deps = at(ctx)
    await handleApplicationRequest(ctx, 'openid', deps, (context) => chooseProvider(context, deps))
  })
  router.all('/oauth2/authorize/:login_provider/:login_provider_identifier', async (ctx) => {
    requireMethod(ctx, ['GET', 'POST'])
    const deps = at(ctx)
    const { login_provider_identifier = '' } = ctx.params
    await handleApplicationRequest(ctx, 'openid', deps, (context) =>
      startAuthorization({ ...context, login_provider_identifier }, deps),
    )
  })
  return router
}
