/** The names in a host that a pattern of the installation describes. */
export interface PatternNames {
  /** Undefined if the pattern has no account. */
  readonly account: string | undefined
  readonly site_id: string
}

/** A pattern such as `{site_id}.{account}.login.example.com`, which gives each site a host. */
export interface HostPattern {
  /** The names in a host; undefined if the pattern does not describe it. */
  readonly parse: (host: string) => PatternNames | undefined
  readonly build: (site: { readonly account: string; readonly site_id: string }) => string
  /** The part after the names, which no site can claim. */
  readonly domain: string
}

const placeholders = ['{site_id}', '{account}']

/**
 * Parses a pattern: labels that are placeholders first, `{site_id}` among them, then the domain.
 *
 * @returns undefined if it is invalid
 */
export function parseHostPattern(pattern: string): HostPattern | undefined {
  const labels = pattern.toLowerCase().split('.')
  const count = labels.findIndex((label) => !placeholders.includes(label))
  const names = labels.slice(0, Math.max(count, 0))
  const domain = labels.slice(names.length).join('.')
  const isValid = names.includes('{site_id}') && new Set(names).size === names.length && /^[a-z0-9.-]+$/.test(domain)
  if (!isValid) return undefined
  return {
    domain,
    parse(host) {
      if (!host.endsWith(`.${domain}`)) return undefined
      const values = host.slice(0, -domain.length - 1).split('.')
      if (values.length !== names.length) return undefined
      const findValue = (name: string) => values[names.indexOf(name)]
      const siteId = findValue('{site_id}')
      return siteId === undefined ? undefined : { account: findValue('{account}'), site_id: siteId }
    },
    build: (site) => [...names.map((name) => (name === '{account}' ? site.account : site.site_id)), domain].join('.'),
  }
}
