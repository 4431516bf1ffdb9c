import type { Api } from '../api.ts'
import type { Actual, ActualAccount, ActualSite } from '../domain/step.ts'

/** The accounts to read, each with its site IDs; undefined sites: all. Without a selection: all accounts. */
export type Selection = ReadonlyMap<string, readonly string[] | undefined>

/** Reads the accounts and sites that the token has access to. */
export async function readActual(api: Api, selection: Selection | undefined): Promise<Actual> {
  const { accounts } = await api.call('listAccounts', {})
  const selected = accounts.filter(({ account }) => selection === undefined || selection.has(account))
  const entries: [string, ActualAccount][] = []
  for (const account of selected) {
    const { sites } = await api.call('listSites', { account: account.account })
    const siteIds = selection?.get(account.account)
    const read: [string, ActualSite][] = []
    for (const settings of sites.filter(({ site_id }) => siteIds === undefined || siteIds.includes(site_id)))
      read.push([settings.site_id, await readActualSite(api, settings)])
    entries.push([account.account, { account, sites: new Map(read) }])
  }
  return new Map(entries)
}

async function readActualSite(api: Api, settings: ActualSite['settings']): Promise<ActualSite> {
  const { account, site_id } = settings
  const [{ clients }, { providers }, { keys }, { webhooks }] = await Promise.all([
    api.call('listClients', { account, site_id }),
    api.call('listProviderSettings', { account, site_id }),
    api.call('listApiKeys', { account, site_id }),
    api.call('listWebhooks', { account, site_id }),
  ])
  return { settings, clients, providers, keys, webhooks }
}
