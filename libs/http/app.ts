import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import Koa from 'koa'
import type { Registry } from 'prom-client'
import type { FaultDetail, FaultName } from '#contracts'
import { createGauge, createHistogram, inSpan, type Logger, type TraceSpan } from '#runtime'
import { readTarget } from './request-target.ts'
import { discardBody } from './unread-body.ts'

/** State of a request that the middleware of an app shares. */
export interface RequestState {
  request_id: string
  /** The route's template or the operation's name, for logs and metrics. */
  route?: string
  /** `account/site_id` of the site. */
  siteName?: string
  /** Number of the site and the API key that identified it. */
  site?: number
  api_key_id?: string
  /** Errors contain `code` and `message` only, by a compatibility option of the site. */
  hasShortErrors?: boolean
  /** The caller's address; undefined if unknown. */
  address?: string | undefined
  /** Requests that remain of the site's rate limit. */
  remaining?: number
  /** Why the request was rejected. */
  fault?: FaultName
  /** The site whose own host was called, and its issuer there. */
  location?: { site: number; account: string; site_id: string; host: string; auth_url: string }
  /** The exact cause of the error. */
  faultDetail?: FaultDetail | undefined
  /** Address of the error's documentation. */
  faultDocumentation?: string
  /** Names in the request that are not parameters of the operation. */
  unknown_parameters?: readonly string[]
  /** Milliseconds that the request waited for something to happen, which do not count as its duration. */
  waited_ms?: number
  /** Languages that the application requested for pages, preferred first. */
  ui_locales?: string | undefined
}

export type App = Koa<RequestState>
export type Context = Koa.ParameterizedContext<RequestState>

export interface AppOptions {
  readonly logger: Logger
  readonly registry: Registry
  /** Added to every response. */
  readonly headers: Readonly<Record<string, string>>
  /** Whether requests continue the trace of their `traceparent`. Set it only if all callers are trusted. */
  readonly trustTraceparent?: boolean
  /** Writes the response to a request that no route matched (404) or that failed (the thrown status, else 500). */
  readonly renderFailure: (ctx: Context, status: number, error?: unknown) => void
  readonly onResponse?: OnResponse
}

export interface CompletedResponse {
  readonly status: number
  readonly state: RequestState
}

/** Called for every request after its response is complete. Must be fast and never throw. */
export type OnResponse = (response: CompletedResponse, durationMs: number) => void

/** Measures and logs a response to a request with this method. URLs are never logged: they can contain keys, codes and personal data. */
export type RecordResponse = (method: string, response: CompletedResponse, durationMs: number) => void

export function createResponseRecorder({
  logger,
  registry,
  onResponse,
}: Pick<AppOptions, 'logger' | 'registry' | 'onResponse'>): RecordResponse {
  const seconds = createHistogram(registry, 'http_server_request_duration_seconds')
  return (method, response, durationMs) => {
    const { status, state } = response
    const { request_id, route = 'unknown', siteName } = state
    const labels = { http_request_method: method, http_route: route, http_response_status_code: status }
    seconds.observe(labels, durationMs / 1_000)
    onResponse?.(response, durationMs)
    logger.info({ request_id, route, site: siteName, method, status, duration_ms: Math.round(durationMs) })
  }
}

/**
 * Creates a Koa app with its outermost middleware: request ID, headers, one access log line and one measurement for each
 * request, and a response to every error.
 */
export function createApp(options: AppOptions): App {
  const { logger, registry, headers, renderFailure, trustTraceparent = false } = options
  const app = new Koa<RequestState>()
  const record = createResponseRecorder(options)
  const active = createGauge(registry, 'http_server_active_requests')
  active.set(0)

  const handle = async (ctx: Context, next: Koa.Next, method: string, span: TraceSpan) => {
    let startedAt = performance.now()
    // Exclude the time that the caller takes to send its body, even an incomplete one.
    ctx.req.once('end', () => (startedAt = performance.now()))
    ctx.req.once('close', () => {
      if (!ctx.req.complete) startedAt = performance.now()
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
    const durationMs = performance.now() - startedAt - (ctx.state.waited_ms ?? 0)
    if (!(await discardBody(ctx.req))) ctx.set('Connection', 'close')
    active.dec()
    record(method, ctx, durationMs)
    const { route = 'unknown' } = ctx.state
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
  // The response has started, for example to a caller that disconnected, so no error response is possible.
  app.on('error', (error: unknown) => logger.debug({ error }, 'response not delivered'))
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
