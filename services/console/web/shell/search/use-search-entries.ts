import { documentation } from 'virtual:documentation'
import { IconApps, IconBook, IconLogin2, IconUser, IconWorld } from '@tabler/icons-react'
import { useRead } from '../../admin/queries.ts'
import type { SiteReference } from '../../admin/types.ts'
import { getDocumentationUrl } from '../../parts/documentation.ts'
import { useNameProvider } from '../../parts/site-providers.ts'
import { useLanguage, useTexts } from '../../texts/index.tsx'
import { useCurrentLocation } from '../current-location.ts'
import { pathOfPage } from '../page-list.ts'
import { paths } from '../paths.ts'
import { readRecentSites } from '../recent-sites.ts'
import { useVisiblePages } from '../visible-pages.ts'
import { useActions } from './actions.ts'
import type { SearchEntry } from './search-entry.ts'

/** Shorter texts are not looked up: they are the beginning of many names. */
const leastForUsers = 3
/** The page of users shows all. */
const mostUsers = 8

/**
 * What the search can lead to from the current page.
 *
 * @param searched to look up sites and users, which are too many to load all
 */
export function useSearchEntries(searched: string): readonly SearchEntry[] {
  const { account, site } = useCurrentLocation()
  const current = account && site && { account: account.account, site_id: site.site_id }
  return [
    ...usePages(),
    ...useSites(searched),
    ...useClients(current),
    ...useProviders(current),
    ...useUsers(current, searched),
    ...useActions(),
    ...useSettings(),
    ...useDocumentation(),
  ]
}

function usePages(): SearchEntry[] {
  const { shell: t } = useTexts()
  const { groups, path } = useVisiblePages()
  return groups
    .flatMap(({ pages }) => pages)
    .map((page) => ({ group: 'pages', label: t[page.label], icon: page.icon, to: pathOfPage({ path }, page) }))
}

/** Those that the text names; without a text, those that were shown last. */
function useSites(searched: string): SearchEntry[] {
  const { data } = useRead('findSites', { q: searched }, { enabled: searched !== '', keepPrevious: true })
  const { account, sites } = useCurrentLocation()
  if (searched === '')
    return readRecentSites().map((site) => {
      const name = site.account === account?.account && sites.find(({ site_id }) => site_id === site.site_id)?.name
      return toSiteEntry({ ...site, name: name || site.site_id })
    })
  return data?.sites.map(toSiteEntry) ?? []
}

function toSiteEntry({ name, ...site }: SiteReference & { readonly name: string }): SearchEntry {
  return {
    group: 'sites',
    label: name,
    detail: `${site.account}/${site.site_id}`,
    icon: IconWorld,
    to: paths.site(site),
  }
}

type Current = SiteReference | undefined
const noSite = { account: '', site_id: '' }

function useClients(site: Current): SearchEntry[] {
  const { data } = useRead('listClients', site ?? noSite, { enabled: site !== undefined })
  if (site === undefined || data === undefined) return []
  return data.clients.map(({ name, client_id }) => ({
    group: 'clients',
    label: name,
    detail: client_id,
    icon: IconApps,
    to: paths.client(site, client_id),
  }))
}

function useProviders(site: Current): SearchEntry[] {
  const nameProvider = useNameProvider()
  const { data } = useRead('listProviderSettings', site ?? noSite, { enabled: site !== undefined })
  if (site === undefined || data === undefined) return []
  return data.providers.map(({ provider }) => ({
    group: 'providers',
    label: nameProvider(provider),
    detail: provider,
    icon: IconLogin2,
    to: paths.provider(site, provider),
  }))
}

function useUsers(site: Current, searched: string): SearchEntry[] {
  const enabled = site !== undefined && searched.length >= leastForUsers
  const { data } = useRead('findUsers', { ...(site ?? noSite), q: searched }, { enabled, personal: true })
  if (site === undefined || data === undefined) return []
  return data.users.slice(0, mostUsers).map(({ identifier, primary_key, name, email }) => ({
    group: 'users',
    label: name ?? primary_key ?? identifier,
    detail: email ?? identifier,
    // The text can be an ID that is not shown, such as the one at a provider.
    keywords: searched,
    icon: IconUser,
    to: paths.user(site, identifier),
  }))
}

/** The headings of the page of settings. */
function useSettings(): SearchEntry[] {
  const { settings: t } = useTexts('settings')
  const { groups, path } = useVisiblePages()
  const page = groups.flatMap(({ pages }) => pages).find(({ section }) => section === 'settings')
  if (page === undefined) return []
  return Object.values(t.headings).map((label) => ({
    group: 'settings',
    label,
    icon: page.icon,
    to: `${pathOfPage({ path }, page)}#${encodeURIComponent(label)}`,
  }))
}

/** The pages of the documentation, in the language of the console if they exist in it. */
function useDocumentation(): SearchEntry[] {
  const { language } = useLanguage()
  const translated = new Set(documentation.filter((page) => page.language === language).map(({ path }) => path))
  return documentation
    .filter((page) => page.language === language || !translated.has(`${language}/${page.path}`))
    .flatMap(({ path, title, headings }): SearchEntry[] => {
      const to = getDocumentationUrl(path)
      if (to === undefined) return []
      return [{ group: 'documentation', label: title, keywords: headings.join(' '), icon: IconBook, to }]
    })
}
