import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Context, createPages, pageHeaders } from '#http'
import { type ApiFacts, describeApi } from './openapi.ts'
import { describeOperations } from './page.ts'

/** Answers the description's own addresses, for which nobody needs a key: `/openapi.json` and, to read, `/docs`. */
export function createDescription(facts: ApiFacts): (ctx: Context, next: () => Promise<unknown>) => Promise<unknown> {
  const openapi = JSON.stringify(describeApi(facts), undefined, 2)
  const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8')
  const write = createPages(import.meta.dirname)
  const page = { web_api_url: facts.web_api_url, operations: describeOperations(facts) }

  const text = (type: string, body: string) => (ctx: Context) => {
    ctx.type = type
    ctx.body = body
  }
  const answers = new Map<string, (ctx: Context) => void>([
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
