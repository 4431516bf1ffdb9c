import type { IncomingMessage } from 'node:http'

/** A base URL of the Web API, to which `/api/<resource>` is appended. */
export interface Base {
  readonly url: string
  /** The alternate base with fixed caller addresses (specification, Limits: Caller addresses). */
  readonly isStatic: boolean
}

/** Finds the base URL of a request by the host name in its `Host` field; the main one for any other name. */
export function createBaseFinder(
  webApiUrl: string,
  staticBaseUrl: string | undefined,
): (request: IncomingMessage) => Base {
  const usual: Base = { url: webApiUrl, isStatic: false }
  if (staticBaseUrl === undefined) return () => usual
  const alternate: Base = { url: staticBaseUrl, isStatic: true }
  const { hostname } = new URL(staticBaseUrl)
  return ({ headers }) => (parseHost(headers.host) === hostname ? alternate : usual)
}

/** Returns the host name of a `Host` field, without port and trailing dot. */
function parseHost(field = ''): string {
  return field.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase()
}
