import type { CallbackRules } from '#contracts'
import { isInDomains } from './callback-rules.ts'

/** Development sites accept these hosts in addition to their domains. */
const localHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1'])

/**
 * The URL to return to for a callback that the site's domains allow: https, one of the domains or a subdomain as host, and
 * any port, path and query. Undefined if they do not allow it; a site without domains allows none. The result is
 * serialized, so that browsers read the same host in it as this function.
 */
export function toDomainCallback(callback: string, { kind, domains }: CallbackRules): string | undefined {
  if (!URL.canParse(callback)) return undefined
  const { protocol, username, password, hostname, href } = new URL(callback)
  if (protocol !== 'https:' || username !== '' || password !== '' || href.includes('#')) return undefined
  const isLocal = kind === 'development' && localHosts.has(hostname)
  return isLocal || isInDomains(hostname, domains) ? href : undefined
}

/** Parameters of our responses, which an application must not receive from elsewhere. */
const responseParameters = ['status', 'token', 'reason']

/**
 * Removes the parameters from a callback's own query that a response adds, so that each occurs once. The rest of the URL
 * stays byte for byte.
 *
 * @param added names of the parameters that will be appended
 */
export function removeResponseParameters(callback: string, added: readonly string[]): string {
  const [address = '', ...rest] = callback.split('?')
  if (rest.length === 0) return callback
  const removed = new Set([...responseParameters, ...added])
  const pairs = rest.join('?').split('&')
  const kept = pairs.filter((pair) => ![...new URLSearchParams(pair).keys()].some((name) => removed.has(name)))
  if (kept.length === pairs.length) return callback
  return kept.length === 0 ? address : `${address}?${kept.join('&')}`
}
