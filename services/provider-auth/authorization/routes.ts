import type Router from '@koa/router'
import { createRouter, type RequestState } from '#http'
import type { Deps } from '../deps.ts'
import { allow } from '../http/browser-endpoint.ts'
import { answerAuthorization } from '../login/browser-endpoint.ts'
import { authorize } from './authorize.ts'
import { chooseProvider } from './choose-provider.ts'

/** The authorization endpoint (OpenID Connect Core 3.1.2), with the provider in its path or without. */
export function authorizationRoutes(deps: Deps): Router<RequestState> {
  const router = createRouter()
  router.all('/oauth2/authorize', async (ctx) => {
    allow(ctx, ['GET', 'POST'])
    await answerAuthorization(ctx, deps, (arrival) => chooseProvider(arrival, deps))
  })
  router.all('/oauth2/authorize/:login_provider/:login_provider_identifier', async (ctx) => {
    allow(ctx, ['GET', 'POST'])
    const { login_provider_identifier = '' } = ctx.params
    await answerAuthorization(ctx, deps, (arrival) => authorize({ ...arrival, login_provider_identifier }, deps))
  })
  return router
}
