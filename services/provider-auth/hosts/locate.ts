import type { HostOwner, Hosts, Location, SiteLocation } from '../domain/hosts.ts'
import type { SiteSettings } from '../site-settings.ts'
import type { HostPattern } from './host-pattern.ts'
import type { HostTable } from './host-table.ts'

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
