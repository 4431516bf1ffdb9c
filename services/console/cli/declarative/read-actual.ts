import { type Look, type SiteReference, themePictures } from '#admin-api'
import type { Api } from '../api.ts'
import type { Actual, ActualAccount, ActualSite, StoredPictures } from '../domain/actual.ts'
import { readSections } from '../domain/sections/index.ts'

/** The accounts to read, each with its site IDs; undefined sites: all. Without a selection: all accounts. */
export type Selection = ReadonlyMap<string, readonly string[] | undefined>

/**
 * Reads the accounts and sites that the token has access to.
 *
 * @param needsPictures whether to read the pictures of a site's look, which are large
 */
export async function readActual(
  api: Api,
  selection: Selection | undefined,
  needsPictures: (site: SiteReference) => boolean,
): Promise<Actual> {
  const { accounts } = await api.call('listAccounts', {})
  const selected = accounts.filter(({ account }) => selection === undefined || selection.has(account))
  const entries: [string, ActualAccount][] = []
  for (const account of selected) {
    const { sites } = await api.call('listSites', { account: account.account })
    const siteIds = selection?.get(account.account)
    const read: [string, ActualSite][] = []
    for (const settings of sites.filter(({ site_id }) => siteIds === undefined || siteIds.includes(site_id)))
      read.push([settings.site_id, await readActualSite(api, settings, needsPictures)])
    entries.push([account.account, { account, sites: new Map(read) }])
  }
  return new Map(entries)
}

async function readActualSite(
  api: Api,
  settings: ActualSite['settings'],
  needsPictures: (site: SiteReference) => boolean,
): Promise<ActualSite> {
  const { account, site_id } = settings
  const site: SiteReference = { account, site_id }
  const [{ clients }, { providers }, { keys }, { webhooks }, hosts, look, sections] = await Promise.all([
    api.call('listClients', site),
    api.call('listProviderSettings', site),
    api.call('listApiKeys', site),
    api.call('listWebhooks', site),
    api.call('readSiteHosts', site),
    api.call('readLook', site),
    readSections((reader) => api.call(reader, site)),
  ])
  const pictures = await readPictures(api, site, needsPictures(site) ? look.published : null)
  return {
    settings,
    clients,
    providers,
    keys,
    webhooks,
    hosts,
    look,
    sections,
    pictures,
  }
}

async function readPictures(api: Api, site: SiteReference, look: Look | null): Promise<StoredPictures> {
  const ids = new Set(themePictures.flatMap((name) => look?.theme[name] ?? []))
  const pictures = [...ids].map(
    async (picture) => [picture, await api.call('readPicture', { ...site, picture })] as const,
  )
  return new Map(await Promise.all(pictures))
}
