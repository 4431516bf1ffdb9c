import { Readable } from 'node:stream'
import type { Context } from '#http'
import type { StreamedResponse } from '../operation.ts'

/** Sends a response in parts. If the caller leaves, no more parts are requested. */
export function sendStream(ctx: Context, { contentType, parts }: StreamedResponse): void {
  ctx.status = 200
  ctx.set('Content-Type', contentType)
  // Proxies must not hold parts back (nginx: X-Accel-Buffering).
  ctx.set('X-Accel-Buffering', 'no')
  // Otherwise the caller gets no answer until there is an event.
  ctx.flushHeaders()
  ctx.body = Readable.from(parts)
}
