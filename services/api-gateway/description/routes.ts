import { apiReference, type Context, pageHeaders } from '#http'
import { guideOf } from './guide.ts'
import { type ApiFacts, describeApi } from './openapi.ts'

/**
 * Serves the description, without an API key: `/openapi.json`, the page `/docs`, and `/` and `/api`, which link to both.
 */
export function createDescription(facts: ApiFacts): (ctx: Context, next: () => Promise<unknown>) => Promise<unknown> {
  const described = describeApi(facts)
  const { webApiUrl, auth_url } = facts
  const links = {
    documentation: `${webApiUrl}/docs`,
    openapi: `${webApiUrl}/openapi.json`,
    openid_configuration: auth_url && `${auth_url}/.well-known/openid-configuration`,
  }
  const start = (ctx: Context) => {
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
  const answers = new Map<string, (ctx: Context) => void>([
    ['/', start],
    ['/api', start],
    ['/api/', start],
    ['/openapi.json', text('application/json; charset=utf-8', JSON.stringify(described, undefined, 2))],
  ])

  const reference = apiReference({
    path: '/docs',
    // `externalDocs` link to this page. Samples send the key in a header, which logs do not hold.
    openapi: { ...described, externalDocs: undefined, security: [{ header: [] }, { bearer: [] }, { key: [] }] },
    openapiPath: '/openapi.json',
    guide: guideOf(facts),
  })

  return async (ctx, next) => {
    const answer = answers.get(ctx.path)
    if (answer === undefined || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return reference(ctx, next)
    ctx.state.route = ctx.path
    ctx.set(pageHeaders)
    answer(ctx)
  }
}
