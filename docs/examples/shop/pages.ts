import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Eta } from 'eta'
import type { Context } from 'koa'

const directory = fileURLToPath(new URL('pages', import.meta.url))
const eta = new Eta({ views: directory, cache: true })

/** Files sent as they are, by their path. */
export const files: ReadonlyMap<string, { type: string; text: string }> = new Map(
  ['styles.css', 'cup.svg'].map((name) => {
    const text = readFileSync(new URL(`pages/${name}`, import.meta.url), 'utf8')
    return [`/${name}`, { type: name, text }]
  }),
)

/** Whatever a page prints with `<%= %>` is escaped. */
export function show(ctx: Context, status: number, page: 'home' | 'account' | 'problem', data: object): void {
  ctx.status = status
  ctx.type = 'html'
  ctx.body = eta.render(page, data)
}

/** No scripts, no frames, nothing from elsewhere; and no page that names a person stays in a cache. */
export const headers = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
}
