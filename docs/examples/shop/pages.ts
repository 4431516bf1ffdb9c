import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Eta } from 'eta'
import type { Context } from 'koa'
import type { Config } from './config.ts'

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

/** Allows no scripts or frames, styles and images only of the shop and the login service, and no caching of personal data. */
export function headersFor({ auth_url }: Config): Record<string, string> {
  const { origin } = new URL(auth_url)
  return {
    'Content-Security-Policy': [
      "default-src 'none'",
      `style-src 'self' ${origin}`,
      `img-src 'self' ${origin}`,
      // The logout form redirects to the login service.
      `form-action 'self' ${origin}`,
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join('; '),
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  }
}
