import type { IncomingHttpHeaders } from 'node:http'

/** Fetch Metadata and older prefetch headers: only browsers send them. */
const browserFields = ['sec-fetch-site', 'sec-purpose', 'purpose', 'x-moz']

/**
 * Whether a browser sent the request: from a page, by navigation or as a prefetch. `Sec-Fetch-Mode: cors` alone does not
 * count, because Node's `fetch` also sends it.
 */
export function isFromBrowser(headers: IncomingHttpHeaders): boolean {
  return headers['sec-fetch-mode'] === 'navigate' || browserFields.some((name) => headers[name] !== undefined)
}
