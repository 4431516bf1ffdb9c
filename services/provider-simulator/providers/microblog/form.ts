import type { Context } from '#http'

/** An answer in the form of OAuth 1.0a, which the provider calls HTML. */
export function answerForm(ctx: Context, fields: Readonly<Record<string, string>>): void {
  ctx.type = 'text/html; charset=utf-8'
  ctx.body = new URLSearchParams(fields).toString()
}
