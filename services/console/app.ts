import { type App, apiReference, createApp } from '#http'
import type { Deps } from './deps.ts'
import { adminBase } from './http/admin-base.ts'
import { adminRoutes } from './http/admin-routes.ts'
import { exportRoutes } from './http/export-routes.ts'
import { countFailures } from './http/failures.ts'
import { describeAdminApi } from './http/openapi.ts'
import { openapiRoutes } from './http/openapi-routes.ts'
import { answerRefusal, refusalOf, renderFailure } from './http/refusals.ts'
import { staticFiles } from './http/static.ts'
import { signInRoutesOf } from './sign-in/routes.ts'

/** Every address of the console: the Admin API, how a member signs in, and the web console. */
export function createConsole(deps: Deps, webDirectory: string): App {
  const { logger, registry, headers, console_url } = deps
  const countFailure = countFailures(deps)
  const openapi = describeAdminApi(console_url)
  const routers = [
    openapiRoutes(openapi),
    adminRoutes(deps, countFailure),
    exportRoutes(deps, countFailure),
    signInRoutesOf(deps, countFailure),
  ]

  const app = createApp({ logger, registry, headers, renderFailure })
  app.use(async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal === undefined) throw error
      answerRefusal(ctx, refusal)
    }
    // The router answers a method that an address does not have with a status and `Allow` alone; 501 where no address has it.
    if (ctx.status > 404 && ctx.body == null) renderFailure(ctx, 405)
  })
  for (const router of routers) app.use(router.routes())
  app.use(
    apiReference({
      path: `${adminBase}/docs`,
      openapi,
      openapiPath: `${adminBase}/openapi.json`,
    }),
  )
  app.use(staticFiles(webDirectory))
  for (const router of routers) app.use(router.allowedMethods())
  return app
}
