import { Eta } from 'eta'
import type { Context } from './app.ts'

/** Renders the pages of a directory (`<name>.eta`). Values in `<%= %>` are escaped. */
export function createPages(directory: string): (ctx: Context, status: number, page: string, data: object) => void {
  const eta = new Eta({ views: directory, cache: true, autoEscape: true })
  return (ctx, status, page, data) => {
    ctx.status = status
    ctx.type = 'text/html; charset=utf-8'
    ctx.body = eta.render(page, data)
  }
}
