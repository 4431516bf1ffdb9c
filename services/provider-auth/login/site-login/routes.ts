import type Router from '@koa/router'
import { createRouter, type RequestState, rejectPrefetch } from '#http'
import type { DepsAt } from '../../hosts/deps-at-host.ts'
import { requireMethod } from '../../http/browser-endpoint.ts'
import { handleApplicationRequest, type LoginRouterContext } from '../request/handle-request.ts'
import { handleLinkDecision, showLinkConfirmation } from './link-account.ts'
import { startSiteLogin } from './start-site-login.ts'

/** The site's own login pages: login with a one-time token, and linking another account. */
export function siteLoginRoutes(at: DepsAt): Router<RequestState> {
  const router = createRouter()
  router.use(rejectPrefetch)
  const site = '/:account/:site_id/:login_provider'
  const logIn = (path: string, existingUsersOnly: boolean) =>
    router.all(site + path, async (ctx) => {
      requireMethod(ctx, ['GET'])
      const deps = at(ctx)
      await handleApplicationRequest(ctx, 'site', deps, (context) =>
        startSiteLogin({ ...context, ...getSiteNames(ctx), existing_users_only: existingUsersOnly }, deps),
      )
    })
  logIn('/authenticate', false)
  logIn('/authenticate/login', true)
  router.all([`${site}/associate`, `${site}/authenticate/associate`], async (ctx) => {
    requireMethod(ctx, ['GET', 'POST'])
    const deps = at(ctx)
    const secFetchSite = ctx.get('Sec-Fetch-Site')
    await handleApplicationRequest(ctx, 'link', deps, (context) =>
      ctx.method === 'POST'
        ? handleLinkDecision({ ...context, ...getSiteNames(ctx), secFetchSite }, deps)
        : showLinkConfirmation({ ...context, ...getSiteNames(ctx) }, deps),
    )
  })
  return router
}

function getSiteNames({ params: { account = '', site_id = '' } }: LoginRouterContext): {
  account: string
  site_id: string
} {
  return { account, site_id }
}
