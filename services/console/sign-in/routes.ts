import type Router from '@koa/router'
import { type SignInRoutes, signInRoutes } from '#admin-api'
import { type Context, createRouter, type RequestState } from '#http'
import { createCounter } from '#runtime'
import { AdminFault } from '../admin-fault.ts'
import type { Deps } from '../deps.ts'
import { type CountFailure, isCountedFailure } from '../http/failures.ts'
import { parseInput, readBody } from '../http/input.ts'
import { requireConsoleOrigin } from '../http/require-console-origin.ts'
import { createAccountRoutes } from './account-routes.ts'
import { createProviderRoutes } from './provider-routes.ts'
import { createSignInHandlers } from './sign-in-handlers.ts'
import { createStartSession } from './start-session.ts'

/** Creates the routes of `signInRoutes`. */
export function createSignInRoutes(deps: Deps, countFailure: CountFailure): Router<RequestState> {
  const router = createRouter()
  const logins = createCounter(deps.registry, 'sociallogin_console_logins_total')
  const startSession = createStartSession(deps, () => logins.inc({ result: 'ok' }))
  const handlers = createSignInHandlers(deps, startSession)
  // The literal has the keys that its type names.
  for (const name of Object.keys(signInRoutes) as (keyof SignInRoutes)[]) {
    const { path, input, output } = signInRoutes[name]
    // The mapped type guarantees that the handler belongs to this route.
    const handler = handlers[name] as (input: unknown, ctx: Context) => Promise<unknown>
    router.post(path, async (ctx) => {
      requireConsoleOrigin(ctx, deps)
      try {
        const parsed = parseInput(input, await readBody(ctx))
        ctx.body = output.parse(await handler(parsed, ctx))
      } catch (error) {
        if (name === 'signIn') logins.inc({ result: error instanceof AdminFault ? 'rejected' : 'failed' })
        if (error instanceof AdminFault && isCountedFailure(error.fault)) await countFailure(ctx)
        throw error
      }
    })
  }
  router.use(createAccountRoutes(deps, { countFailure, startSession }).routes())
  router.use(createProviderRoutes(deps, { countFailure, startSession }).routes())
  return router
}
