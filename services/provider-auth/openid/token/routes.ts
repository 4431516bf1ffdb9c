import type Router from '@koa/router'
import type { Middleware } from 'koa'
import type { Registry } from 'prom-client'
import { type Call, newCall } from '#bus'
import { callerAddress, createRouter, type Parameters, type RequestState } from '#http'
import { createCounter } from '#runtime'
import type { Deps } from '../../deps.ts'
import type { DepsAt } from '../../hosts/deps-at-host.ts'
import { jsonEndpoint, preflight } from '../../http/json-endpoint.ts'
import { OAuthError } from '../../http/oauth-error.ts'
import type { CountClientFailure } from './client-failures.ts'
import { authenticateClientForm, readClientForm } from './client-request.ts'
import type { TokenGrant, TokenGrants } from './grants.ts'
import { recordTokenRejection } from './record-rejection.ts'

/** The token endpoint (RFC 6749 3.2, OpenID Connect Core 3.1.3). */
export function tokenRoutes(
  at: DepsAt,
  {
    grants,
    countFailure,
    registry,
  }: { readonly grants: TokenGrants; readonly countFailure: CountClientFailure } & Pick<Deps, 'registry'>,
): Router<RequestState> {
  const router = createRouter()
  router.use(jsonEndpoint)
  router.use(countResponses(registry))
  router.options('/oauth2/token', preflight('POST'))
  router.post('/oauth2/token', async (ctx) => {
    const deps = at(ctx)
    const { authorization } = ctx.headers
    const { request_id } = ctx.state
    const address = callerAddress(ctx.req, deps.trusted_hops)
    let form: Parameters | undefined
    try {
      form = await readClientForm(ctx)
      const client = await authenticateClientForm(ctx, form, { ...deps, countFailure })
      ctx.set('Pragma', 'no-cache')
      const grant = findGrant(form, grants)
      ctx.body = await grant({ form: form.values, client, address, request_id }, deps)
    } catch (error) {
      recordTokenRejection(error, { request_id, authorization, form: form?.values, address }, deps)
      if (error instanceof OAuthError) await applyCompatibility(error, deps, newCall({ request_id }))
      throw error
    }
  })
  return router
}

function findGrant({ values }: Parameters, grants: TokenGrants): TokenGrant {
  const grantType = values.get('grant_type')
  if (grantType === undefined) throw new OAuthError('parameter_missing', { parameter: 'grant_type' })
  const grant = grants.get(grantType)
  if (grant === undefined) throw new OAuthError('grant_type_unsupported')
  return grant
}

/** The service that a site was migrated from may respond to every error of the client with 400. */
async function applyCompatibility(error: OAuthError, { hasCompatibility }: Deps, call: Call): Promise<void> {
  const { status, site } = error
  if (status === 401 && site !== undefined && (await hasCompatibility(site, 'token_errors_400', call)))
    error.withResponse({ status: 400, challenge: undefined })
}

/** Counts the responses of the token endpoint. */
function countResponses(registry: Registry): Middleware<RequestState> {
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
