import { type App, type Context, createApp } from '#http'
import { authorizationRoutes } from './authorization/routes.ts'
import { brandingRoutes } from './branding/routes.ts'
import { callbackRoutes } from './callback/routes.ts'
import type { Deps } from './deps.ts'
import { discoveryRoutes } from './discovery/routes.ts'
import { renderJsonError } from './http/json-endpoint.ts'
import { logoutRoutes } from './logout/routes.ts'
import { nativeLoginRoutes } from './native-login/routes.ts'
import { renderErrorStatus } from './pages/render.ts'
import { pageRoutes } from './pages/routes.ts'
import { messagingWebhookRoutes } from './provider-webhooks/messaging-routes.ts'
import { deletionStatusRoutes, providerWebhookRoutes } from './provider-webhooks/routes.ts'
import { revocationRoutes } from './revocation/routes.ts'
import { siteLoginRoutes } from './site-login/routes.ts'
import { createClientFailureLimiter } from './token/client-failures.ts'
import { tokenRoutes } from './token/routes.ts'
import { userinfoRoutes } from './userinfo/routes.ts'

/** Creates the HTTP application with all routes, for programs and for browsers. */
export function createProviderAuthApp(deps: Deps): App {
  const countFailure = createClientFailureLimiter(deps)
  const clientRouters = [tokenRoutes(deps, countFailure), revocationRoutes(deps, countFailure)]
  const apiRouters = [...clientRouters, userinfoRoutes(deps), discoveryRoutes(deps), brandingRoutes(deps)]
  const browserRouters = [authorizationRoutes(deps), callbackRoutes(deps), siteLoginRoutes(deps), pageRoutes()]
  const apiPaths = new Set(apiRouters.flatMap(({ stack }) => stack.map(({ path }) => path)))

  const renderStatus = (ctx: Context, status: number) =>
    apiPaths.has(ctx.path) ? renderJsonError(ctx, status) : renderErrorStatus(ctx, status)

  const { logger, registry, headers, trustTraceparent } = deps
  const app = createApp({ logger, registry, headers, trustTraceparent, renderFailure: renderStatus })
  app.use(async (ctx, next) => {
    await next()
    // For an unsupported method the router sets only the status and `Allow`; the status is 501 if no route has the
    // method.
    if (ctx.status > 404 && ctx.body == null) renderStatus(ctx, ctx.status === 501 ? 405 : ctx.status)
  })
  const webhookRouters = [providerWebhookRoutes(deps), messagingWebhookRoutes(deps), deletionStatusRoutes(deps)]
  const appRouters = [...webhookRouters, nativeLoginRoutes(deps)]
  for (const router of [...apiRouters, ...appRouters, logoutRoutes(deps), ...browserRouters])
    app.use(router.routes()).use(router.allowedMethods())
  return app
}
