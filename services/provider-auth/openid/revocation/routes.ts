import type Router from '@koa/router'
import { createRouter, type RequestState } from '#http'
import { tokenPrefixes } from '../../domain/token-prefixes.ts'
import type { DepsAt } from '../../hosts/deps-at-host.ts'
import { jsonEndpoint, preflight } from '../../http/json-endpoint.ts'
import { OAuthError } from '../../http/oauth-error.ts'
import { deleteAccessToken } from '../../store/access-tokens.ts'
import type { CountClientFailure } from '../token/client-failures.ts'
import { authenticateClientForm, readClientForm } from '../token/client-request.ts'

/**
 * The revocation endpoint (RFC 7009): revokes an access token of the calling client. It also returns 200 for a token
 * that is unknown, expired or already revoked (2.2). `token_type_hint` is not needed to find a token.
 */
export function revocationRoutes(at: DepsAt, countFailure: CountClientFailure): Router<RequestState> {
  const router = createRouter()
  router.use(jsonEndpoint)
  router.options('/oauth2/revoke', preflight('POST'))
  router.post('/oauth2/revoke', async (ctx) => {
    const deps = at(ctx)
    const form = await readClientForm(ctx)
    const { client_id } = await authenticateClientForm(ctx, form, { ...deps, countFailure })
    const token = form.values.get('token')
    if (token === undefined) throw new OAuthError('parameter_missing', { parameter: 'token' })
    if (isOfAnotherKind(token)) throw new OAuthError('token_type_unsupported')
    if ((await deleteAccessToken(deps.knex, { access_token: token, client_id })) === 'foreign')
      throw new OAuthError('token_of_another_client')
    ctx.status = 200
    ctx.body = ''
    ctx.remove('Content-Type')
  })
  return router
}

const { access_token: own, ...others } = tokenPrefixes

/**
 * Whether the token is an ID Token, an authorization code or another of our secrets, which expire or are revoked
 * elsewhere.
 */
function isOfAnotherKind(token: string): boolean {
  if (token.startsWith(own)) return false
  return /^[\w-]+\.[\w-]+\.[\w-]*$/.test(token) || Object.values(others).some((prefix) => token.startsWith(prefix))
}
