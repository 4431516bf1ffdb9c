import type { Middleware } from 'koa'
import { Fault, limits } from '#contracts'
import { isDatabaseUnavailable } from '#database'
import { type Context, MalformedParameters, type RequestState } from '#http'
import { invalidRequest, OAuthError } from './oauth-error.ts'

/**
 * What the endpoints for programs have in common: scripts of any origin may read the answer, as no cookie ever counts here
 * (RFC 9700 2.6), and a refusal is JSON with `error` and `error_description`.
 */
export const dataEndpoint: Middleware<RequestState> = async (ctx, next) => {
  ctx.set('Access-Control-Allow-Origin', '*')
  ctx.set('Access-Control-Expose-Headers', 'WWW-Authenticate, X-Request-Id')
  ctx.set('Cross-Origin-Resource-Policy', 'cross-origin')
  try {
    await next()
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal === undefined) throw error
    answerOAuthError(ctx, refusal)
  }
}

/** Answers a browser that asks whether a script may call (CORS preflight). */
export function preflight(methods: string): Middleware<RequestState> {
  return (ctx) => {
    ctx.set('Access-Control-Allow-Methods', methods)
    ctx.set('Access-Control-Allow-Headers', 'Authorization, Content-Type')
    ctx.set('Access-Control-Max-Age', '7200')
    ctx.status = 204
  }
}

/** The answer of such an endpoint to what nobody foresaw, and to methods it does not have. */
export function renderDataFailure(ctx: Context, status: number): void {
  const description = status === 405 ? 'Method not allowed.' : 'Internal server error.'
  answerOAuthError(ctx, new OAuthError(status, status === 405 ? 'invalid_request' : 'server_error', description))
}

function answerOAuthError(ctx: Context, error: OAuthError): void {
  const { status, code, description, challenge } = error
  const againSeconds = error.retryAfterSeconds ?? (status === 503 ? limits.retry_after_seconds : undefined)
  ctx.status = status
  if (challenge !== undefined) ctx.set('WWW-Authenticate', challenge)
  if (againSeconds !== undefined) ctx.set('Retry-After', String(againSeconds))
  ctx.body = { error: code, error_description: description }
}

function refusalOf(error: unknown): OAuthError | undefined {
  if (error instanceof OAuthError) return error
  if (error instanceof MalformedParameters) return invalidRequest('The form cannot be read.')
  if ((error instanceof Fault && error.fault === 'unavailable') || isDatabaseUnavailable(error))
    return new OAuthError(503, 'temporarily_unavailable', 'Service temporarily unavailable.')
  return undefined
}
