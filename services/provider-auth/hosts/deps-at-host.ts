import type { Context } from '#http'
import type { Deps } from '../deps.ts'
import type { RegisteredClient } from '../domain/client.ts'
import type { SiteLocation } from '../domain/hosts.ts'
import type { SiteSettings } from '../site-settings.ts'
import type { HostTable } from './host-table.ts'
import type { HostUses } from './host-uses.ts'

/** The dependencies of a request at the host that was called. */
export type DepsAt = (ctx: Context) => Deps

/**
 * On a site's own host, its address is the issuer, and the clients and settings of other sites are unknown. On the
 * installation's own host, sites are unknown that are served only on their own.
 */
export function createDepsAt(deps: Deps, table: Pick<HostTable, 'isShared'>, uses: HostUses): DepsAt {
  const shared = scopeTo(deps, table.isShared, '', uses)
  const own = new WeakMap<SiteLocation, Deps>()
  return ({ state: { location } }) => {
    if (location === undefined) return shared
    const ofHost = own.get(location)
    if (ofHost !== undefined) return ofHost
    const { site, host, auth_url } = location
    const created = { ...scopeTo(deps, (other) => other === site, host, uses), auth_url }
    own.set(location, created)
    return created
  }
}

function scopeTo(deps: Deps, isServed: (site: number) => boolean, host: string, uses: HostUses): Deps {
  const { siteSettings } = deps
  const ifServed = <T extends { readonly site: number }>(found: T | undefined): T | undefined =>
    found !== undefined && isServed(found.site) ? found : undefined
  const record = (client: RegisteredClient | undefined): RegisteredClient | undefined => {
    if (client !== undefined) uses.record({ ...client, host })
    return client
  }
  const servedSettings: SiteSettings = {
    ...siteSettings,
    findClient: async (clientId) => record(ifServed(await siteSettings.findClient(clientId))),
    findClientByRedirectUri: async (address) => record(ifServed(await siteSettings.findClientByRedirectUri(address))),
    findDomainCallbackClient: async (site) => record(ifServed(await siteSettings.findDomainCallbackClient(site))),
    findProviderSettings: async (name) => ifServed(await siteSettings.findProviderSettings(name)),
  }
  return { ...deps, siteSettings: servedSettings, isServed }
}
