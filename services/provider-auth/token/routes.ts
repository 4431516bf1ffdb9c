import type Router from '@koa/router'
import type { Middleware } from 'koa'
import type { Registry } from 'prom-client'
import { newCall } from '#bus'
import { callerAddress, createRouter, type RequestState, readForm } from '#http'
import { createCounter } from '#runtime'
import type { Deps } from '../deps.ts'
import { dataEndpoint, preflight } from '../http/data-endpoint.ts'
import { invalidRequest, OAuthError } from '../http/oauth-error.ts'
import { authenticateClient } from './authenticate-client.ts'
import { countFailures } from './failures.ts'
import { redeem } from './redeem.ts'
import { readTokenRequest } from './request.ts'

/** The token endpoint (RFC 6749 3.2, OpenID Connect Core 3.1.3). */
export function tokenRoutes(deps: Deps): Router<RequestState> {
  const router = createRouter()
  const failures = countFailures(deps)
  router.use(dataEndpoint)
  router.use(counted(deps.registry))
  router.options('/oauth2/token', preflight('POST'))
  router.post('/oauth2/token', async (ctx) => {
    if (ctx.querystring !== '') throw invalidRequest('Parameters belong in the form, not in the address.')
    const form = await readForm(ctx.req)
    if (form.repeated.size > 0) throw invalidRequest('A parameter is repeated.')
    const address = callerAddress(ctx.req, deps.trusted_hops)
    const client = await authenticateClient(ctx.headers.authorization, form.values, address, { ...deps, failures })
    const request = readTokenRequest(form.values, client)
    const call = newCall({ request_id: ctx.state.request_id })
    ctx.set('Pragma', 'no-cache')
    ctx.body = await redeem(request, client, deps, call)
  })
  return router
}

/** Counts the token endpoint's answers. */
function counted(registry: Registry): Middleware<RequestState> {
  const issued = createCounter(registry, 'sociallogin_tokens_issued_total')
  const rejected = createCounter(registry, 'sociallogin_tokens_rejected_total')
  return async (ctx, next) => {
    try {
      await next()
      if (ctx.method === 'POST') issued.inc({ type: 'access' })
    } catch (error) {
      rejected.inc({ error: error instanceof OAuthError ? error.code : 'server_error' })
      throw error
    }
  }
}
