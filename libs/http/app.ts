import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import Koa from 'koa'
import type { Registry } from 'prom-client'
import type { FaultDetail, FaultName } from '#contracts'
import { createGauge, createHistogram, inSpan, type Logger, type TraceSpan } from '#runtime'
import { readTarget } from './request-target.ts'
import { discardBody } from './unread-body.ts'

/** What the layers of an app tell one another about a request. */
export interface RequestState {
  request_id: string
  /** The route's template or the operation's name: what logs and metrics call this request. */
  route?: string
  /** `account/site_id` of the site concerned. */
  siteName?: string
  /** Its number, once it is known, and the API key it was known by. */
  site?: number
  api_key_id?: string
  /** The caller's; undefined as well where nobody can tell it. */
  address?: string | undefined
  /** What of the site's limit is left. */
  remaining?: number
  /** Why the request was refused. */
  fault?: FaultName
  /** Display name of the site that a page belongs to. */
  siteTitle?: string | undefined
  /** What exactly was refused. */
  faultDetail?: FaultDetail | undefined
  /** Address of the error's documentation. */
  faultDocumentation?: string
  /** Names in the request that are not parameters of the operation. */
  unknown_parameters?: readonly string[]
  /** Languages the application wants pages in, the best first. */
  ui_locales?: string | undefined
}

export type App = Koa<RequestState>
export type Context = Koa.ParameterizedContext<RequestState>

export interface AppOptions {
  readonly logger: Logger
  readonly registry: Registry
  /** On every answer, whatever it is. */
  readonly headers: Readonly<Record<string, string>>
  /** Whether a request continues the trace its `traceparent` tells of: only where whoever sends it is known. */
  readonly trustTraceparent?: boolean
  /** Writes the answer to a request nobody answered (404) or that failed (the status thrown, else 500). */
  readonly renderFailure: (ctx: Context, status: number, error?: unknown) => void
  /** Told of every request once its answer stands. It must be quick and never throw. */
  readonly answered?: (ctx: Context, durationMs: number) => void
}

/**
 * A Koa app with its outermost layer: request id, headers, one access log line and one measurement for each request, and an
 * answer to whatever is thrown. The address line is never logged: it can hold keys, codes and personal data.
 */
export function createApp(options: AppOptions): App {
  const { logger, registry, headers, renderFailure, answered, trustTraceparent = false } = options
  const app = new Koa<RequestState>()
  const seconds = createHistogram(registry, 'http_server_request_duration_seconds')
  const active = createGauge(registry, 'http_server_active_requests')
  active.set(0)

  const handle = async (ctx: Context, next: Koa.Next, method: string, span: TraceSpan) => {
    let beganAt = performance.now()
    // Time that the caller takes to send its body, also one that it never completes, is not ours.
    ctx.req.once('end', () => (beganAt = performance.now()))
    ctx.req.once('close', () => {
      if (!ctx.req.complete) beganAt = performance.now()
    })
    active.inc()
    ctx.state.request_id = randomUUID()
    ctx.set(headers)
    ctx.set('X-Request-Id', ctx.state.request_id)
    try {
      readTarget(ctx.req)
      await next()
      if (ctx.status === 404 && ctx.body == null) renderFailure(ctx, 404)
    } catch (error) {
      const status = statusOf(error)
      if (status >= 500) logger.error({ error, request_id: ctx.state.request_id, route: ctx.state.route }, 'defect')
      renderFailure(ctx, status, error)
    }
    const durationMs = performance.now() - beganAt
    if (!(await discardBody(ctx.req))) ctx.set('Connection', 'close')
    active.dec()
    const { request_id, route = 'unknown', siteName } = ctx.state
    const labels = { http_request_method: method, http_route: route, http_response_status_code: ctx.status }
    seconds.observe(labels, durationMs / 1_000)
    answered?.(ctx, durationMs)
    logger.info({
      request_id,
      route,
      site: siteName,
      method,
      status: ctx.status,
      duration_ms: Math.round(durationMs),
    })
    span.rename(`${method} ${route}`)
    span.set({ 'http.route': route, 'http.response.status_code': ctx.status })
    if (ctx.status >= 500) span.fail(String(ctx.status))
  }
  app.use((ctx, next) => {
    const method = knownMethods.has(ctx.method) ? ctx.method : 'other'
    const from = trustTraceparent ? (name: string) => headerOf(ctx.req, name) : () => undefined
    return inSpan({ name: method, kind: 'server', attributes: { 'http.request.method': method }, from }, (span) =>
      handle(ctx, next, method, span),
    )
  })
  // What fails after the answer was begun, such as a caller who hung up, has nobody left to be told.
  app.on('error', (error: unknown) => logger.debug({ error }, 'answer not delivered'))
  return app
}

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

function statusOf(error: unknown): number {
  const status: unknown = error instanceof Error ? Reflect.get(error, 'status') : undefined
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}
