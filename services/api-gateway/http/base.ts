import type { IncomingMessage } from 'node:http'
import type { ApiHostTable } from '../api-hosts.ts'

/** A base URL of the Web API, to which `/api/<resource>` is appended. */
export interface Base {
  readonly url: string
  /** The alternate base with fixed caller addresses (specification, Limits: Caller addresses). */
  readonly isStatic: boolean
  /** The site whose own host it is, or that the host is not in use any more; undefined on the installation's own hosts. */
  readonly site?: number | 'unused'
}

/**
 * Finds the base URL of a request by the host name in its `Host` field: of the installation, or of a site; the main one for
 * any other name.
 */
export function createBaseFinder(
  webApiUrl: string,
  staticBaseUrl: string | undefined,
  apiHosts: Pick<ApiHostTable, 'find'>,
): (request: IncomingMessage) => Base {
  const { protocol, port, hostname } = new URL(webApiUrl)
  const portSuffix = port === '' ? '' : `:${port}`
  const usual: Base = { url: webApiUrl, isStatic: false }
  const unused: Base = { ...usual, site: 'unused' }
  const bases = new Map([[hostname, usual]])
  if (staticBaseUrl !== undefined) bases.set(new URL(staticBaseUrl).hostname, { url: staticBaseUrl, isStatic: true })
  return ({ headers }) => {
    const host = parseHost(headers.host)
    const base = bases.get(host)
    if (base !== undefined) return base
    const site = apiHosts.find(host)
    if (site === undefined) return usual
    if (site === 'unused') return unused
    return { url: `${protocol}//${host}${portSuffix}`, isStatic: false, site }
  }
}

/** Whether a site is served at a base: a site's own host serves no other one. */
export function isServedAt(base: Base, site: number): boolean {
  return base.site === undefined || base.site === site
}

/** Returns the host name of a `Host` field, without port and trailing dot. */
export function parseHost(field = ''): string {
  return field.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase()
}
