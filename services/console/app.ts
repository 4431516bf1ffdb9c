import { type App, apiReference, createApp } from '#http'
import { adminBasePath } from './admin-paths.ts'
import type { Deps } from './deps.ts'
import { createAdminRoutes } from './http/admin-routes.ts'
import { renderFailure, renderFault, toAdminFault } from './http/errors.ts'
import { createExportRoutes } from './http/export-routes.ts'
import { createFailureCounter } from './http/failures.ts'
import { describeAdminApi } from './http/openapi.ts'
import { createOpenapiRoutes } from './http/openapi-routes.ts'
import { createPictureRoutes } from './http/picture-routes.ts'
import { serveStaticFiles } from './http/static.ts'
import { createSignInRoutes } from './sign-in/routes.ts'

/** The console's HTTP server: the Admin API, sign-in, and the web console. */
export function createConsole(deps: Deps, webDirectory: string): App {
  const { logger, registry, headers, consoleUrl } = deps
  const countFailure = createFailureCounter(deps)
  const openapi = describeAdminApi(consoleUrl)
  const routers = [
    createOpenapiRoutes(openapi),
    createAdminRoutes(deps, countFailure),
    createExportRoutes(deps, countFailure),
    createPictureRoutes(deps, countFailure),
    createSignInRoutes(deps, countFailure),
  ]

  const app = createApp({ logger, registry, headers, renderFailure })
  app.use(async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      const adminFault = toAdminFault(error)
      if (adminFault === undefined) throw error
      renderFault(ctx, adminFault)
    }
    // For unsupported methods, the router sends only a status and `Allow`: 405, or 501 if no path supports the method.
    if (ctx.status > 404 && ctx.body == null) renderFailure(ctx, 405)
  })
  for (const router of routers) app.use(router.routes())
  app.use(
    apiReference({
      path: `${adminBasePath}/docs`,
      openapi,
      openapiPath: `${adminBasePath}/openapi.json`,
    }),
  )
  app.use(serveStaticFiles(webDirectory, deps))
  for (const router of routers) app.use(router.allowedMethods())
  return app
}
