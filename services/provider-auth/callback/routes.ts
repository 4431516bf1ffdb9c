import type Router from '@koa/router'
import { createRouter, type RequestState } from '#http'
import type { Deps } from '../deps.ts'
import { allow } from '../http/browser-endpoint.ts'
import { answerBrowser, providerOf } from '../login/browser-endpoint.ts'
import { answerCallback } from './callback.ts'
import { receiveForm } from './receive-form.ts'

/** Where login providers return users: by GET, or by a form that the provider's page posts. */
export function callbackRoutes(deps: Deps): Router<RequestState> {
  const router = createRouter()
  router.all('/oauth2/callback/:login_provider/:login_provider_identifier', async (ctx) => {
    const { login_provider_identifier = '' } = ctx.params
    const provider = providerOf(ctx, deps)
    const byForm = provider !== undefined && deps.findLoginProvider(provider)?.returnsByForm === true
    allow(ctx, byForm ? ['GET', 'POST'] : ['GET'])
    await answerBrowser(ctx, deps, (arrival) =>
      byForm && ctx.method === 'POST'
        ? receiveForm({ ...arrival, login_provider_identifier, provider }, deps)
        : answerCallback({ ...arrival, login_provider_identifier }, deps),
    )
  })
  return router
}
