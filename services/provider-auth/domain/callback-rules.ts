import type { CallbackRules } from '#contracts'

/**
 * Why a valid redirect URI violates a site's rules; undefined if it satisfies them. A production site accepts only
 * https: native applications use https URIs that the operating system opens in them (RFC 8252 7.2). At a development
 * site, domains do not apply to loopback addresses over http and to private-use schemes.
 */
export function findRuleViolation(
  redirectUri: string,
  { kind, domains }: CallbackRules,
): 'not_https' | 'outside_domains' | undefined {
  const { protocol, hostname } = new URL(redirectUri)
  if (protocol !== 'https:') return kind === 'production' ? 'not_https' : undefined
  return domains.length === 0 || isInDomains(hostname, domains) ? undefined : 'outside_domains'
}

/** Whether a host is one of the domains or a subdomain of one. No label may be empty (RFC 1034 3.1), which `URL` allows. */
export function isInDomains(hostname: string, domains: readonly string[]): boolean {
  if (hostname.split('.').includes('')) return false
  return domains.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`))
}
