import type Router from '@koa/router'
import type { Middleware } from 'koa'
import { hostProofPath } from '#contracts'
import type { Reader } from '#database'
import { createRouter, type RequestState, readParameters } from '#http'
import type { Hosts } from '../domain/hosts.ts'
import { sendOAuthError } from '../http/json-endpoint.ts'
import { OAuthError } from '../http/oauth-error.ts'
import { renderPage } from '../pages/render.ts'
import { findHostToken } from '../store/site-hosts.ts'
import { proofOf } from './proof.ts'

/**
 * Finds the site of the host that was called. The `Host` field only selects among hosts that sites have proven; addresses in
 * responses are built from those.
 */
export function locateRequest(
  hosts: Hosts,
  paths: { readonly isApi: (path: string) => boolean; readonly isOfPages: (path: string) => boolean },
): Middleware<RequestState> {
  return async (ctx, next) => {
    const field = ctx.headers.host ?? ''
    const canonical = field.replace(/\.(?=:\d*$|$)/, '')
    const destination = await hosts.locate(canonical)
    if (destination.kind === 'shared') return next()
    // The names below a site's host are the customer's.
    if (hosts.isSecure) ctx.set('Strict-Transport-Security', 'max-age=31536000')
    if (destination.kind === 'unused') {
      if (paths.isOfPages(ctx.path)) return next()
      if (paths.isApi(ctx.path)) sendOAuthError(ctx, new OAuthError('host_unknown'))
      else renderPage(ctx, 'host_unknown')
      return
    }
    const { location } = destination
    if (field !== canonical && (ctx.method === 'GET' || ctx.method === 'HEAD')) {
      // Browsers have other cookies for a name with a final dot.
      ctx.status = 308
      ctx.set('Location', `${location.auth_url}${ctx.url}`)
      ctx.body = ''
      return
    }
    ctx.state.location = location
    ctx.state.siteName = `${location.account}/${location.site_id}`
    return next()
  }
}

/** What proxies and owners of hosts ask about a host. */
export function hostRoutes(hosts: Hosts, reader: Reader): Router<RequestState> {
  const router = createRouter()
  /** The proof of a host that points here: its DNS still does what the site's owner made it do. */
  router.get(hostProofPath, async (ctx) => {
    const { location } = ctx.state
    const token = location && (await findHostToken(reader, location))
    if (token === undefined) return
    ctx.type = 'text/plain; charset=utf-8'
    ctx.body = proofOf({ token })
  })
  /** On-demand TLS: whether a proxy may obtain a certificate for a host. */
  router.get('/oauth2/certificates/allowed', async (ctx) => {
    const domain = readParameters(ctx.querystring).values.get('domain') ?? ''
    const allowed = await hosts.mayHaveCertificate(domain.toLowerCase())
    ctx.status = allowed ? 200 : 404
    ctx.body = { allowed }
  })
  return router
}
