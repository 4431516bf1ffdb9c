import type { IncomingHttpHeaders } from 'node:http'

/** Whether a browser sent this by itself or by following an address: nobody meant to call an operation. */
export function isBrowsing(headers: IncomingHttpHeaders): boolean {
  if (headers['sec-fetch-mode'] === 'navigate') return true
  return ['sec-purpose', 'purpose', 'x-moz'].some((name) => headers[name] !== undefined)
}
