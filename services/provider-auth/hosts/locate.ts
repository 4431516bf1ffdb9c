import type { HostPurpose } from '#contracts'
import type { SiteSettings } from '../site-settings.ts'
import type { HostPattern } from './host-pattern.ts'
import type { HostOwner, HostTable } from './host-table.ts'

/** A site's own host that was called. */
export interface SiteLocation extends HostOwner {
  readonly host: string
  /** The issuer on this host, without a trailing slash. */
  readonly auth_url: string
}

/** Where a request belongs, by its `Host` field. */
export type Location =
  /** The installation's own host, and every name that is no host of a site. */
  | { readonly kind: 'shared' }
  | { readonly kind: 'site'; readonly location: SiteLocation }
  /** A host that no site has, although its requests come here. */
  | { readonly kind: 'unused' }

/** Names of hosts, and where their requests belong. */
export interface Hosts {
  /** Canonicalizes the `Host` field: lower case, without a port. A final dot stays. */
  readonly locate: (hostField: string) => Promise<Location>
  /** The issuers of a site that are served: of its own hosts, of the installation's, and of the pattern's. */
  readonly issuersOf: (site: HostOwner) => readonly [string, ...string[]]
  /** The host that the pattern gives a site; undefined without a pattern. */
  readonly patternHostOf: (site: HostOwner) => string | undefined
  readonly toIssuer: (host: string) => string
  /** Whether a host belongs to a site, for logins or for the Web API, so that it may have a certificate. */
  readonly mayHaveCertificate: (host: string) => Promise<boolean>
  /** Whether hosts are served with TLS. */
  readonly isSecure: boolean
  /** The host that a site's host has to point to. */
  readonly targetOf: (purpose: HostPurpose) => string
  /** Whether no site can claim a host, because it is related to the installation's own ones. */
  readonly isReserved: (host: string) => boolean
  /** Whether ID Tokens with this issuer were issued by us. */
  readonly isIssuer: (issuer: string) => boolean
  /** Reads changes now, so that an answered change is in effect here; other replicas learn of it by a notice. */
  readonly refresh: () => Promise<void>
}

interface HostsOptions {
  readonly table: Pick<HostTable, 'find' | 'isApiHost' | 'listLoginHosts' | 'isShared' | 'refresh'>
  readonly pattern: HostPattern | undefined
  /** The installation's own issuer. */
  readonly auth_url: string
  /** The base address of the Web API, if it is known. */
  readonly webApiUrl: string | undefined
  readonly findSiteByName: SiteSettings['findSiteByName']
}

/** @param options with the hosts of sites that are in memory */
export function createHosts({ table, pattern, auth_url, webApiUrl, findSiteByName }: HostsOptions): Hosts {
  const { protocol, port, hostname: sharedHost } = new URL(auth_url)
  const toIssuer = (host: string) => `${protocol}//${host}${port === '' ? '' : `:${port}`}`
  /** One object for each host, so that what is derived from it can be stored with it. */
  const locations = new WeakMap<HostOwner, SiteLocation>()
  const toLocation = (owner: HostOwner, host: string): Location => {
    const earlier = locations.get(owner)
    if (earlier?.host === host) return { kind: 'site', location: earlier }
    const { site, account, site_id } = owner
    const location = { site, account, site_id, host, auth_url: toIssuer(host) }
    locations.set(owner, location)
    return { kind: 'site', location }
  }
  const locate = async (hostField: string): Promise<Location> => {
    const host = hostField.toLowerCase().replace(/:\d*$/, '')
    if (host === sharedHost) return { kind: 'shared' }
    const owner = table.find(host)
    if (owner === 'unused') return { kind: 'unused' }
    if (owner !== undefined) return toLocation(owner, host)
    const names = pattern?.parse(host)
    if (names === undefined) return { kind: 'shared' }
    const site = await findSiteByName(names)
    return site === undefined ? { kind: 'unused' } : toLocation(site, host)
  }
  const patternHostOf = (site: HostOwner) => pattern?.build(site)
  const ownHosts = [auth_url, ...(webApiUrl === undefined ? [] : [webApiUrl])].map((url) => new URL(url).hostname)
  // On a development machine, `localhost` is above all hosts.
  const reserved = [...ownHosts, pattern?.domain ?? ''].filter((host) => host.includes('.'))
  return {
    locate,
    mayHaveCertificate: async (host) => table.isApiHost(host) || (await locate(host)).kind === 'site',
    issuersOf(site) {
      const ofPattern = patternHostOf(site)
      const [first = auth_url, ...others] = [
        ...table.listLoginHosts(site.site).map(toIssuer),
        ...(table.isShared(site.site) ? [auth_url] : []),
        ...(ofPattern === undefined ? [] : [toIssuer(ofPattern)]),
      ]
      return [first, ...others]
    },
    patternHostOf,
    refresh: table.refresh,
    toIssuer,
    isSecure: protocol === 'https:',
    targetOf: (purpose) => (purpose === 'login' ? sharedHost : new URL(webApiUrl ?? auth_url).hostname),
    isReserved: (host) => reserved.some((own) => isRelated(host, own)),
    isIssuer(issuer) {
      if (issuer === auth_url) return true
      const host = URL.parse(issuer)?.hostname ?? ''
      const isKnown = typeof table.find(host) === 'object' || pattern?.parse(host) !== undefined
      return isKnown && issuer === toIssuer(host)
    },
  }
}

/** Whether two hosts are the same, or one is below the other. */
function isRelated(one: string, other: string): boolean {
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`)
}
