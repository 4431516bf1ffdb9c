import type Router from '@koa/router'
import { type SignInRoutes, signInRoutes } from '#admin-api'
import { type Context, createRouter, type RequestState } from '#http'
import { createCounter } from '#runtime'
import type { Deps } from '../deps.ts'
import { AdminFault } from '../handlers/admin-fault.ts'
import { type CountFailure, isFailure } from '../http/failures.ts'
import { parseInput, readBody } from '../http/input.ts'
import { requireOwnPage } from '../http/own-page.ts'
import { answersOf } from './answers.ts'
import { createBeginSession } from './begin-session.ts'
import { providerRoutes } from './provider-routes.ts'

/** How a member signs in (`signInRoutes`). */
export function signInRoutesOf(deps: Deps, countFailure: CountFailure): Router<RequestState> {
  const router = createRouter()
  const logins = createCounter(deps.registry, 'sociallogin_console_logins_total')
  const begin = createBeginSession(deps, () => logins.inc({ result: 'ok' }))
  const answers = answersOf(deps, begin)
  // The names come from the routes themselves.
  for (const name of Object.keys(signInRoutes) as (keyof SignInRoutes)[]) {
    const { path, input, output } = signInRoutes[name]
    // The mapped type guarantees an answer of this very route under this name.
    const answer = answers[name] as (input: unknown, ctx: Context) => Promise<unknown>
    router.post(path, async (ctx) => {
      requireOwnPage(ctx, deps)
      try {
        const given = parseInput(input, await readBody(ctx))
        ctx.body = output.parse(await answer(given, ctx))
      } catch (error) {
        if (name === 'signIn') logins.inc({ result: error instanceof AdminFault ? 'refused' : 'failed' })
        if (error instanceof AdminFault && isFailure(error.fault)) await countFailure(ctx)
        throw error
      }
    })
  }
  router.use(providerRoutes(deps, { countFailure, begin }).routes())
  return router
}
