import type { IncomingMessage } from 'node:http'

/** How much of an unread body is read before the response is sent, and for how long. Our choice. */
const maximumBytes = 1_048_576
const timeoutMs = 500

/**
 * Reads and discards the rest of a request's body, so that the connection can serve the next request and the caller reads
 * the response instead of failing to send. Returns false if the rest is too long or too slow: then close the connection,
 * or the kernel buffers what the caller still sends.
 */
export async function discardBody(request: IncomingMessage): Promise<boolean> {
  if (request.complete) return true
  if (request.destroyed || Number(request.headers['content-length'] ?? 0) > maximumBytes) return false
  const { promise, resolve } = Promise.withResolvers<boolean>()
  let bytes = 0
  const read = (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maximumBytes) resolve(false)
  }
  const end = () => resolve(request.complete)
  const timer = setTimeout(() => resolve(false), timeoutMs)
  const events = ['end', 'close', 'error']
  for (const event of events) request.once(event, end)
  request.on('data', read)
  request.resume()
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    request.off('data', read)
    for (const event of events) request.off(event, end)
    if (!request.complete) request.pause()
  }
}
