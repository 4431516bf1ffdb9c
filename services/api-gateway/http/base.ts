import type { IncomingMessage } from 'node:http'

/** A base address of the Web API, to which `/api/<resource>` is appended. */
export interface Base {
  readonly url: string
  /** The alternate base with fixed caller addresses (specification, Limits: Caller addresses). */
  readonly isStatic: boolean
}

/** Finds the base a request was sent to by the host name in its `Host` field; the usual base for any other name. */
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

/** The name in a `Host` field, without port and without the dot that ends a fully qualified name. */
function parseHost(field = ''): string {
  return field.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase()
}
