import { apiReference, type Context, pageHeaders } from '#http'
import { createGuide } from './guide.ts'
import { type ApiFacts, describeApi } from './openapi.ts'
import { toReference } from './reference.ts'

/**
 * Serves the API description without an API key: `/openapi.json`, the page `/docs`, and `/` and `/api`, which link to both.
 */
export function createDescriptionRoutes(
  facts: ApiFacts,
): (ctx: Context, next: () => Promise<unknown>) => Promise<unknown> {
  const described = describeApi(facts)
  const { webApiUrl, auth_url } = facts
  const links = {
    documentation: `${webApiUrl}/docs`,
    openapi: `${webApiUrl}/openapi.json`,
    openid_configuration: auth_url && `${auth_url}/.well-known/openid-configuration`,
  }
  const serveStart = (ctx: Context) => {
    // RFC 8631
    ctx.set('Link', `<${links.documentation}>; rel="service-doc", <${links.openapi}>; rel="service-desc"`)
    if (ctx.accepts('json', 'html') === 'json')
      return text('application/json; charset=utf-8', JSON.stringify(links))(ctx)
    ctx.status = 302
    ctx.set('Location', links.documentation)
  }

  const text = (type: string, body: string) => (ctx: Context) => {
    ctx.type = type
    ctx.body = body
  }
  const routes = new Map<string, (ctx: Context) => void>([
    ['/', serveStart],
    ['/api', serveStart],
    ['/api/', serveStart],
    ['/openapi.json', text('application/json; charset=utf-8', JSON.stringify(described, undefined, 2))],
  ])

  const reference = apiReference({
    path: '/docs',
    openapi: toReference(described),
    openapiPath: '/openapi.json',
    guide: createGuide(facts),
  })

  return async (ctx, next) => {
    const serve = routes.get(ctx.path)
    if (serve === undefined || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return reference(ctx, next)
    ctx.state.route = ctx.path
    ctx.set(pageHeaders)
    serve(ctx)
  }
}
