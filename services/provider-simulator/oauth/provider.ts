import { type Context, createRouter, type Routes } from '#http'
import type { SimulatedProvider, Simulator } from '../providers/provider.ts'
import { authorize } from './authorization.ts'
import type { Dialect } from './dialect.ts'
import { sendErrors } from './errors.ts'
import { revoke } from './revocation.ts'
import { logInBySdk } from './sdk.ts'
import { createServer, type OAuthServer } from './server.ts'
import { issueTokens } from './token.ts'
import { showUserinfo } from './userinfo.ts'

/** Adds the routes that only one provider has. Paths start below `/<provider>`. */
export type AddRoutes = (routes: Routes, server: OAuthServer) => void

/** Creates the provider that a dialect describes: its authorization server, and the routes of its own. */
export async function createProvider(
  dialect: Dialect,
  simulator: Simulator,
  addRoutes?: AddRoutes,
): Promise<SimulatedProvider> {
  const { name, title, summary, middleware } = dialect
  const server = await createServer(dialect, simulator)
  const routes = createRouter(`/${name}`)
  if (middleware !== undefined) routes.use(middleware)
  if (server.openid !== undefined) addOpenIdRoutes(routes, server, server.openid)
  addOAuthRoutes(routes, server)
  if (dialect.sdk !== undefined) addSdkRoutes(routes, server, dialect.sdk)
  addRoutes?.(routes, server)
  return { name, title, summary, routes, ...(server.openid && { issuer: server.issuer }) }
}

function addOpenIdRoutes(routes: Routes, server: OAuthServer, openid: NonNullable<OAuthServer['openid']>): void {
  const { issuer, dialect } = server
  const { basePath = '', authorization, token, revocation } = dialect
  const { keys, signingKeys, userinfo, metadata } = openid
  const endpoints = {
    authorization_endpoint: issuer + authorization.path,
    token_endpoint: issuer + token.path,
    ...(userinfo && { userinfo_endpoint: issuer + userinfo.path }),
    ...(revocation && { revocation_endpoint: issuer + revocation.path }),
    jwks_uri: issuer + keys.path,
  }
  routes.get('Discovery', `${basePath}/.well-known/openid-configuration`, (ctx) => {
    ctx.body = { issuer, ...endpoints, ...metadata }
  })
  routes.get('Keys', basePath + keys.path, (ctx) => {
    if (keys.maxAgeSeconds !== undefined) ctx.set('Cache-Control', `max-age=${keys.maxAgeSeconds}`)
    ctx.body = { keys: signingKeys.published }
  })
  if (userinfo !== undefined) {
    const handlers = [sendErrors(userinfo.errorFormat), (ctx: Context) => showUserinfo(ctx, userinfo, server)]
    routes.register(basePath + userinfo.path, ['GET', 'POST'], handlers, { name: 'Userinfo' })
  }
}

function addSdkRoutes(routes: Routes, server: OAuthServer, sdk: NonNullable<Dialect['sdk']>): void {
  routes.post('SDK (simulator only)', '/sdk', sendErrors(), (ctx) => logInBySdk(ctx, sdk, server))
  if (sdk.openid === undefined) return
  routes.get('Keys of the SDK', sdk.openid.keys.path, (ctx) => {
    ctx.body = { keys: server.sdk?.signingKeys.published }
  })
}

function addOAuthRoutes(routes: Routes, server: OAuthServer): void {
  const { basePath = '', authorization, token, revocation } = server.dialect
  const { methods = ['GET'] } = authorization
  routes.register(basePath + authorization.path, [...methods], (ctx) => authorize(ctx, server), {
    name: 'Authorization',
  })
  const errors = sendErrors(token.errorFormat)
  const handlers = [errors, (ctx: Context) => issueTokens(ctx, server)]
  routes.register(basePath + token.path, [...(token.methods ?? ['POST'])], handlers, { name: 'Token' })
  if (revocation !== undefined) {
    routes.post('Revoke', basePath + revocation.path, errors, (ctx) => revoke(ctx, revocation, server))
  }
}
