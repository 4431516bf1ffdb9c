import type { Api } from '../api.ts'
import type { Actual, ActualAccount, ActualSite } from '../domain/step.ts'

/** Which accounts are looked at; of each all sites, or those named. Undefined: all accounts. */
export type Wanted = ReadonlyMap<string, readonly string[] | undefined>

/** What the console has of the accounts and sites, as far as the token may see them. */
export async function readActual(api: Api, wanted: Wanted | undefined): Promise<Actual> {
  const { accounts } = await api.ask('listAccounts', {})
  const lookedAt = accounts.filter(({ account }) => wanted === undefined || wanted.has(account))
  const entries: [string, ActualAccount][] = []
  for (const account of lookedAt) {
    const { sites } = await api.ask('listSites', { account: account.account })
    const named = wanted?.get(account.account)
    const read: [string, ActualSite][] = []
    for (const settings of sites.filter(({ site_id }) => named === undefined || named.includes(site_id)))
      read.push([settings.site_id, await readSite(api, settings)])
    entries.push([account.account, { account, sites: new Map(read) }])
  }
  return new Map(entries)
}

async function readSite(api: Api, settings: ActualSite['settings']): Promise<ActualSite> {
  const { account, site_id } = settings
  const [{ clients }, { providers }, { keys }] = await Promise.all([
    api.ask('listClients', { account, site_id }),
    api.ask('listProviderSettings', { account, site_id }),
    api.ask('listApiKeys', { account, site_id }),
  ])
  return { settings, clients, providers, keys }
}
