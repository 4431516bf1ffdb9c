import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Context, createPages } from '#http'
import { type PageName, pageForStatus, texts } from './texts.ts'

const write = createPages(import.meta.dirname)

export const stylesheet = {
  path: '/oauth2/pages.css',
  text: readFileSync(join(import.meta.dirname, 'pages.css'), 'utf8'),
} as const

/** Answers with one of the fixed pages and its status. */
export function renderPage(ctx: Context, name: PageName): void {
  const text = texts[name]
  write(ctx, text.status, 'page', { ...text, stylesheet: stylesheet.path, request_id: ctx.state.request_id })
}

/** Answers a request nobody answered or that failed (`createApp`): a page that says no more than the status. */
export function renderFailure(ctx: Context, status: number): void {
  renderPage(ctx, pageForStatus(status))
  ctx.status = status
}
