import type Router from '@koa/router'
import { newCall } from '#bus'
import { callerAddress, createRouter, type RequestState, readForm } from '#http'
import type { Deps } from '../deps.ts'
import { dataEndpoint, preflight } from '../http/data-endpoint.ts'
import { invalidRequest } from '../http/oauth-error.ts'
import { authenticateClient } from './authenticate-client.ts'
import { countFailures } from './failures.ts'
import { redeem } from './redeem.ts'
import { readTokenRequest } from './request.ts'

/** The token endpoint (RFC 6749 3.2, OpenID Connect Core 3.1.3). */
export function tokenRoutes(deps: Deps): Router<RequestState> {
  const router = createRouter()
  const failures = countFailures(deps)
  router.use(dataEndpoint)
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
