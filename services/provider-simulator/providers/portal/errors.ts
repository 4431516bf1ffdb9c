import type { Context } from '#http'
import { type Problem, refusalIn } from '../../oauth.ts'

/** Every error has a number too, which nobody needs. The numbers are our choice: they are not documented. */
const error_codes: Readonly<Record<string, number>> = {
  invalid_request: 1001,
  invalid_scope: 1002,
  unsupported_response_type: 1003,
  login_required: 2001,
  invalid_client: 3001,
  invalid_redirect_uri: 3002,
  invalid_grant: 3003,
  unsupported_grant_type: 3004,
}

/** An error's parameters in a redirect. */
export function redirected({ error, description }: Problem): Record<string, string> {
  return { error, error_description: description, error_code: String(error_codes[error] ?? 0) }
}

/** Answers the refusals of the token endpoint in JSON. */
export async function answerTokenErrors(ctx: Context, next: () => Promise<unknown>): Promise<void> {
  try {
    await next()
  } catch (thrown) {
    const { status, error, message } = refusalIn(thrown)
    ctx.status = status
    ctx.body = { error, error_description: message, error_code: error_codes[error] ?? 0 }
  }
}
