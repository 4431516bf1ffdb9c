import { Eta } from 'eta'
import type { Context } from './app.ts'

/** The parts of a response that pages use, so that a page can also be rendered for a preview. */
export interface PageResponse extends Pick<Context, 'state' | 'headers' | 'path' | 'set'> {
  status: number
  type: string
  body: unknown
}

/** Renders the pages of a directory (`<name>.eta`). Values in `<%= %>` are escaped. */
export function createPages(
  directory: string,
): (ctx: PageResponse, status: number, page: string, data: object) => void {
  const eta = new Eta({ views: directory, cache: true, autoEscape: true })
  return (ctx, status, page, data) => {
    ctx.status = status
    ctx.type = 'text/html; charset=utf-8'
    ctx.body = eta.render(page, data)
  }
}
