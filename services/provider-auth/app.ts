import { type App, type Context, createApp } from '#http'
import { authorizationRoutes } from './authorization/routes.ts'
import { brandingRoutes } from './branding/routes.ts'
import { callbackRoutes } from './callback/routes.ts'
import type { Deps } from './deps.ts'
import { discoveryRoutes } from './discovery/routes.ts'
import { renderDataFailure } from './http/data-endpoint.ts'
import { logoutRoutes } from './logout/routes.ts'
import { messagingNoticeRoutes } from './notices/messaging-routes.ts'
import { deletionPageRoutes, noticeRoutes } from './notices/routes.ts'
import { renderFailure } from './pages/render.ts'
import { pageRoutes } from './pages/routes.ts'
import { revocationRoutes } from './revocation/routes.ts'
import { siteLoginRoutes } from './site-login/routes.ts'
import { createFailureCounter } from './token/failures.ts'
import { tokenRoutes } from './token/routes.ts'
import { userinfoRoutes } from './userinfo/routes.ts'

/** Every address of the service: for programs, and for browsers. */
export function createProviderAuthApp(deps: Deps): App {
  const countFailure = createFailureCounter(deps)
  const forApplications = [tokenRoutes(deps, countFailure), revocationRoutes(deps, countFailure)]
  const forPrograms = [...forApplications, userinfoRoutes(deps), discoveryRoutes(deps), brandingRoutes(deps)]
  const forBrowsers = [authorizationRoutes(deps), callbackRoutes(deps), siteLoginRoutes(deps), pageRoutes()]
  const dataPaths = new Set(forPrograms.flatMap(({ stack }) => stack.map(({ path }) => path)))

  const fail = (ctx: Context, status: number) =>
    dataPaths.has(ctx.path) ? renderDataFailure(ctx, status) : renderFailure(ctx, status)

  const { logger, registry, headers, trustTraceparent } = deps
  const app = createApp({ logger, registry, headers, trustTraceparent, renderFailure: fail })
  app.use(async (ctx, next) => {
    await next()
    // The router answers a method that an address does not have with a status and `Allow` alone; 501 where no address has it.
    if (ctx.status > 404 && ctx.body == null) fail(ctx, ctx.status === 501 ? 405 : ctx.status)
  })
  const ofNotices = [noticeRoutes(deps), messagingNoticeRoutes(deps), deletionPageRoutes(deps)]
  for (const router of [...forPrograms, ...ofNotices, logoutRoutes(deps), ...forBrowsers])
    app.use(router.routes()).use(router.allowedMethods())
  return app
}
