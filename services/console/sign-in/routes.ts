import type Router from '@koa/router'
import { Counter } from 'prom-client'
import { type SignInRoutes, signInRoutes } from '#admin-api'
import { type Context, callerAddress, createRouter, type RequestState } from '#http'
import type { Deps } from '../deps.ts'
import type { CountAttempt } from '../http/attempts.ts'
import { parseInput, readBody } from '../http/input.ts'
import { requireOwnPage } from '../http/own-page.ts'
import { AdminFault } from '../procedures/procedure.ts'
import { answersOf } from './answers.ts'
import { createBeginSession } from './begin-session.ts'
import { providerRoutes } from './provider-routes.ts'

/** How a member signs in (`signInRoutes`). */
export function signInRoutesOf(deps: Deps, countAttempt: CountAttempt): Router<RequestState> {
  const router = createRouter()
  const logins = new Counter({
    name: 'console_logins_total',
    help: 'Attempts to sign in at the console, by what became of them.',
    labelNames: ['result'],
    registers: [deps.registry],
  })
  const begin = createBeginSession(deps, () => logins.inc({ result: 'ok' }))
  const answers = answersOf(deps, begin)
  // The names come from the routes themselves.
  for (const name of Object.keys(signInRoutes) as (keyof SignInRoutes)[]) {
    const { path, input, output } = signInRoutes[name]
    // The mapped type guarantees an answer of this very route under this name.
    const answer = answers[name] as (input: unknown, ctx: Context) => Promise<unknown>
    router.post(path, async (ctx) => {
      requireOwnPage(ctx, deps)
      await countAttempt(ctx, callerAddress(ctx.req, deps.trusted_hops))
      const given = parseInput(input, await readBody(ctx))
      try {
        ctx.body = output.parse(await answer(given, ctx))
      } catch (error) {
        if (name === 'signIn') logins.inc({ result: error instanceof AdminFault ? 'refused' : 'failed' })
        throw error
      }
    })
  }
  router.use(providerRoutes(deps, { countAttempt, begin }).routes())
  return router
}
