import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { Fault } from '#contracts'
import type { Context } from '#http'

/** How long the other cell may take to begin its response. Our choice: longer than an operation takes. */
const headersMs = 15_000

/** Headers of a request that the other cell reads; the others are of this connection. */
const requestHeaders = [
  'authorization',
  'x-api-key',
  'content-type',
  'idempotency-key',
  'if-match',
  'cache-control',
  'last-event-id',
  'accept',
  'traceparent',
  'sec-fetch-mode',
  'sec-fetch-site',
]
/** Headers of a response that concern the other connection only. */
const connectionHeaders = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'keep-alive',
  'transfer-encoding',
])

/**
 * Sends a request of a site that moved to the cell that serves it, and its response to the caller. A key that is in the body or the query
 * is there in the other cell as well.
 *
 * @param webApiUrl empty: the other cell is not ready yet. @param form the body, if the request has one
 * @throws Fault `unavailable` if the other cell is not ready or does not answer
 */
export async function forwardRequest(ctx: Context, webApiUrl: string, form: string | undefined): Promise<void> {
  if (webApiUrl === '') throw new Fault('unavailable')
  const { method, req } = ctx
  const sent = requestHeaders.flatMap((name): [string, string][] => {
    const value = ctx.get(name)
    return value === '' ? [] : [[name, value]]
  })
  const closed = new AbortController()
  ctx.res.once('close', () => closed.abort())
  const timer = setTimeout(() => closed.abort(), headersMs)
  try {
    const response = await fetch(`${webApiUrl}${req.url ?? ''}`, {
      method,
      headers: Object.fromEntries(sent),
      ...(form === undefined || method === 'GET' || method === 'HEAD' ? {} : { body: form }),
      redirect: 'manual',
      signal: closed.signal,
    })
    ctx.status = response.status
    for (const [name, value] of response.headers) if (!connectionHeaders.has(name)) ctx.set(name, value)
    // The types of streams of the web and of Node.js differ in methods that `fromWeb` does not use.
    ctx.body = response.body === null ? '' : Readable.fromWeb(response.body as ReadableStream)
  } catch (cause) {
    throw new Fault('unavailable', { cause })
  } finally {
    clearTimeout(timer)
  }
}
