import type { IncomingHttpHeaders } from 'node:http'
import { isPrefetch } from '#http'

/**
 * Whether a browser sent the request: from a page, by navigation or as a prefetch. `Sec-Fetch-Mode: cors` alone does not
 * count, because Node's `fetch` also sends it.
 */
export function isFromBrowser(headers: IncomingHttpHeaders): boolean {
  return headers['sec-fetch-mode'] === 'navigate' || headers['sec-fetch-site'] !== undefined || isPrefetch(headers)
}
