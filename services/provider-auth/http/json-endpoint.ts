import type { Middleware } from 'koa'
import { limits } from '#contracts'
import { type Context, MalformedParameters, type RequestState } from '#http'
import { OAuthError } from './oauth-error.ts'
import { isOutage } from './outage.ts'

/**
 * Common behavior of endpoints for programs: scripts of any origin may read the responses, because no endpoint uses
 * cookies (RFC 9700 2.6), and errors are JSON with `error` and `error_description`.
 */
export const jsonEndpoint: Middleware<RequestState> = async (ctx, next) => {
  ctx.set('Access-Control-Allow-Origin', '*')
  ctx.set('Access-Control-Expose-Headers', 'WWW-Authenticate, X-Request-Id')
  ctx.set('Cross-Origin-Resource-Policy', 'cross-origin')
  try {
    await next()
  } catch (error) {
    const oauthError = toOAuthError(error)
    if (oauthError === undefined) throw error
    sendOAuthError(ctx, oauthError)
  }
}

/**
 * Responds to CORS preflight requests.
 *
 * @param headers those that the endpoint reads besides the common ones
 */
export function preflight(methods: string, headers: readonly string[] = []): Middleware<RequestState> {
  return (ctx) => {
    ctx.set('Access-Control-Allow-Methods', methods)
    ctx.set(
      'Access-Control-Allow-Headers',
      ['Authorization', 'Content-Type', ...headers, 'traceparent', 'baggage'].join(', '),
    )
    ctx.set('Access-Control-Max-Age', '7200')
    ctx.status = 204
  }
}

const errorsByStatus: Readonly<Record<number, ConstructorParameters<typeof OAuthError>[0]>> = {
  405: 'method_not_allowed',
  503: 'unavailable',
}

/** The response for unexpected errors, outages and unsupported methods. */
export function renderJsonError(ctx: Context, status: number): void {
  sendOAuthError(ctx, new OAuthError(errorsByStatus[status] ?? 'internal_error'), status)
}

/** Responds with the error as JSON. */
export function sendOAuthError(ctx: Context, error: OAuthError, status = error.status): void {
  const { body, challenge } = error
  const retryAfterSeconds = error.retryAfterSeconds ?? (status === 503 ? limits.retry_after_seconds : undefined)
  ctx.status = status
  if (challenge !== undefined) ctx.set('WWW-Authenticate', challenge)
  if (retryAfterSeconds !== undefined) ctx.set('Retry-After', String(retryAfterSeconds))
  ctx.body = body
}

function toOAuthError(error: unknown): OAuthError | undefined {
  if (error instanceof OAuthError) return error
  if (error instanceof MalformedParameters) return new OAuthError('form_unreadable')
  if (isOutage(error)) return new OAuthError('unavailable')
  return undefined
}
