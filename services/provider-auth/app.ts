import { limits } from '#contracts'
import { type App, type Context, createApp } from '#http'
import { accountRoutes } from './account/routes.ts'
import type { Deps } from './deps.ts'
import { tokenExchangeGrant } from './domain/grant-types.ts'
import { createDepsAt } from './hosts/deps-at-host.ts'
import type { HostTable } from './hosts/host-table.ts'
import { createHostUses } from './hosts/host-uses.ts'
import { hostRoutes, locateRequest } from './hosts/routes.ts'
import { renderJsonError } from './http/json-endpoint.ts'
import { isOutage } from './http/outage.ts'
import { callbackRoutes } from './login/callback/routes.ts'
import { nativeLoginRoutes } from './login/native-login/routes.ts'
import { siteLoginRoutes } from './login/site-login/routes.ts'
import { termsRoutes } from './login/terms/routes.ts'
import { authorizationRoutes } from './openid/authorization/routes.ts'
import { discoveryRoutes } from './openid/discovery/routes.ts'
import { brandingRoutes } from './openid/login-buttons.ts'
import { logoutRoutes } from './openid/logout/routes.ts'
import { revocationRoutes } from './openid/revocation/routes.ts'
import { createClientFailureLimiter } from './openid/token/client-failures.ts'
import { authorizationCodeGrant, type TokenGrants } from './openid/token/grants.ts'
import { tokenRoutes } from './openid/token/routes.ts'
import { exchangeProviderToken } from './openid/token-exchange/exchange-token.ts'
import { userMetadataRoutes } from './openid/user-metadata/routes.ts'
import { userinfoRoutes } from './openid/userinfo/routes.ts'
import { brandPage } from './pages/context/brand-page.ts'
import { setPageContext } from './pages/context/page-context.ts'
import { lookRoutes } from './pages/look/routes.ts'
import { renderErrorStatus } from './pages/render.ts'
import { pageRoutes } from './pages/routes.ts'
import { messagingWebhookRoutes } from './upstream/webhooks/messaging-routes.ts'
import { deletionStatusRoutes, providerWebhookRoutes } from './upstream/webhooks/routes.ts'

const grants: TokenGrants = new Map([
  ['authorization_code', authorizationCodeGrant],
  [tokenExchangeGrant, exchangeProviderToken],
])

/** Creates the HTTP application with all routes, for programs and for browsers. */
export function createProviderAuthApp(deps: Deps, table: Pick<HostTable, 'isShared'>): App {
  const at = createDepsAt(deps, table, createHostUses(deps))
  const countFailure = createClientFailureLimiter(deps)
  const clientRouters = [tokenRoutes(at, { ...deps, grants, countFailure }), revocationRoutes(at, countFailure)]
  const tokenRouters = [userinfoRoutes(at), userMetadataRoutes(at, deps)]
  const apiRouters = [...clientRouters, ...tokenRouters, discoveryRoutes(at), brandingRoutes(at)]
  const loginRouters = [authorizationRoutes(at), callbackRoutes(at), termsRoutes(at), siteLoginRoutes(at)]
  const browserRouters = [...loginRouters, accountRoutes(at)]
  const apiPaths = new Set(apiRouters.flatMap(({ stack }) => stack.map(({ path }) => path)))

  const renderStatus = (ctx: Context, status: number) =>
    apiPaths.has(ctx.path) ? renderJsonError(ctx, status) : renderErrorStatus(ctx, status)

  const { logger, registry, headers, trustTraceparent } = deps
  const app = createApp({ logger, registry, headers, trustTraceparent, renderFailure: renderStatus })
  app.use(async (ctx, next) => {
    setPageContext(ctx, { languages: deps.languages })
    try {
      await next()
    } catch (error) {
      await brandPage(ctx, undefined, deps)
      if (!isOutage(error)) throw error
      const { request_id, route } = ctx.state
      logger.warn({ error, request_id, route }, 'a request failed: a dependency is unavailable')
      ctx.set('Retry-After', String(limits.retry_after_seconds))
      return renderStatus(ctx, 503)
    }
    if (ctx.status < 404 || ctx.body != null) return
    await brandPage(ctx, undefined, deps)
    // For an unsupported method the router sets only the status and `Allow`; the status is 501 if no route has the
    // method.
    renderStatus(ctx, ctx.status === 501 ? 405 : ctx.status)
  })
  const pageRouters = [pageRoutes(), lookRoutes(deps)]
  const isOfPages = (path: string) => pageRouters.some((router) => router.match(path, 'GET').route)
  app.use(locateRequest(deps.hosts, { isApi: (path) => apiPaths.has(path), isOfPages }))
  // Providers may send webhooks to any host: they name the settings and are signed.
  const webhookRouters = [providerWebhookRoutes(deps), messagingWebhookRoutes(deps), deletionStatusRoutes(deps)]
  const appRouters = [...webhookRouters, nativeLoginRoutes(at), hostRoutes(deps.hosts, deps.reader)]
  for (const router of [...apiRouters, ...appRouters, logoutRoutes(at), ...browserRouters, ...pageRouters])
    app.use(router.routes()).use(router.allowedMethods())
  return app
}
