import type Router from '@koa/router'
import { createRouter, type RequestState, rejectPrefetch } from '#http'
import type { DepsAt } from '../../hosts/deps-at-host.ts'
import { requireMethod } from '../../http/browser-endpoint.ts'
import { findPathProvider, handleBrowserRequest } from '../request/handle-request.ts'
import { handleCallback } from './callback.ts'
import { receivePostedCallback } from './receive-form.ts'

/** Where login providers return users: by GET, or by a form that the provider's page posts. */
export function callbackRoutes(at: DepsAt): Router<RequestState> {
  const router = createRouter()
  router.use(rejectPrefetch)
  router.all('/oauth2/callback/:login_provider/:login_provider_identifier', async (ctx) => {
    const deps = at(ctx)
    const { login_provider_identifier = '' } = ctx.params
    const provider = findPathProvider(ctx, deps)
    const settings =
      provider === undefined
        ? undefined
        : await deps.siteSettings.findProviderSettings({ provider, login_provider_identifier })
    const byForm = settings !== undefined && deps.findProviderClient(settings)?.usesFormPost === true
    requireMethod(ctx, byForm ? ['GET', 'POST'] : ['GET'])
    await handleBrowserRequest(ctx, deps, (context) =>
      byForm && provider !== undefined && ctx.method === 'POST'
        ? receivePostedCallback({ ...context, login_provider_identifier, provider }, deps)
        : handleCallback({ ...context, login_provider_identifier }, deps),
    )
  })
  return router
}
