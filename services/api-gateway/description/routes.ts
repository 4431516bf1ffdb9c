import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Context, createPages, pageHeaders } from '#http'
import { type ApiFacts, describeApi } from './openapi.ts'
import { describeErrors, describeOperations, reasons } from './page.ts'

/**
 * Serves the description, without an API key: `/openapi.json`, the page `/docs`, and `/` and `/api`, which link to both.
 */
export function createDescription(facts: ApiFacts): (ctx: Context, next: () => Promise<unknown>) => Promise<unknown> {
  const openapi = JSON.stringify(describeApi(facts), undefined, 2)
  const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8')
  const write = createPages(import.meta.dirname)
  const { web_api_url, auth_url } = facts
  const discovery = auth_url && `${auth_url}/.well-known/openid-configuration`
  const page = { web_api_url, discovery, reasons, errors: describeErrors(facts), operations: describeOperations(facts) }
  const links = {
    documentation: `${web_api_url}/docs`,
    openapi: `${web_api_url}/openapi.json`,
    openid_configuration: discovery,
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
    ['/openapi.json', text('application/json; charset=utf-8', openapi)],
    ['/docs', (ctx) => write(ctx, 200, 'page', page)],
    ['/docs/page.css', text('text/css; charset=utf-8', read('page.css'))],
    ['/docs/icon.svg', text('image/svg+xml', read('icon.svg'))],
  ])

  return async (ctx, next) => {
    const answer = answers.get(ctx.path)
    if (answer === undefined || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next()
    ctx.state.route = ctx.path
    ctx.set(pageHeaders)
    answer(ctx)
  }
}
