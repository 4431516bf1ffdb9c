import { type CatalogEntry, loadCatalog } from '#catalog'
import type { Context, Routes } from '#http'
import { oauthError, SimulatedError, sendErrors } from '../../oauth/errors.ts'
import { findGrant } from '../../oauth/grants.ts'
import { createProvider } from '../../oauth/provider.ts'
import { identify, type OAuthServer } from '../../oauth/server.ts'
import { issueTokens } from '../../oauth/token.ts'
import { readBearerToken } from '../../oauth/userinfo.ts'
import type { SimulatedProvider, Simulator } from '../provider.ts'
import { type DescribedClaims, describeUser } from './claims.ts'
import { toDialect, toSimulatedPath } from './dialect.ts'

/** Plays the providers that the catalog describes, from their definitions and examples alone. */
export async function createDescribedProviders(simulator: Simulator): Promise<SimulatedProvider[]> {
  return Promise.all(
    loadCatalog().map((entry) =>
      createProvider(toDialect(entry, simulator.url), simulator, (routes, server) => addRoutes(routes, entry, server)),
    ),
  )
}

function addRoutes(routes: Routes, entry: CatalogEntry, server: OAuthServer): void {
  const { protocol } = entry.definition
  if (protocol.type === 'oidc') {
    const address = protocol.discovery ?? `${protocol.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
    routes.get('Discovery', toSimulatedPath(address), (ctx) => {
      ctx.body = server.openid?.metadata
    })
    return
  }
  const { endpoints, resources } = protocol
  const show = (claimsOf: (claims: DescribedClaims) => unknown) => (ctx: Context) => {
    const parameter = protocol.access_token_parameter
    const token = parameter === undefined ? readBearerToken(ctx) : new URLSearchParams(ctx.querystring).get(parameter)
    const grant = findGrant(server.grants.accessTokens, token ?? undefined)
    if (grant === undefined) throw new SimulatedError(oauthError('invalid_token', 'The token is not valid.', 401))
    ctx.body = claimsOf(describeUser(entry, identify(grant, server)))
  }
  const shown = show(({ user }) => user)
  routes.get('User', toSimulatedPath(endpoints.user), sendErrors(), shown)
  for (const [name, address] of Object.entries(resources))
    routes.get(
      `Resource: ${name}`,
      toSimulatedPath(address),
      sendErrors(),
      show((claims) => claims.resources[name]),
    )
  if (endpoints.refresh !== undefined)
    routes.register(
      toSimulatedPath(endpoints.refresh),
      [protocol.token_method],
      [sendErrors(), (ctx) => issueTokens(ctx, server)],
      {
        name: 'Refresh',
      },
    )
}
