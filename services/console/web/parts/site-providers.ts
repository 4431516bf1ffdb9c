import { loginProviders, providers } from 'virtual:contract/providers'
import { useRoute } from 'wouter'
import { useRead } from '../admin/queries.ts'
import type { LoginProvider, Provider, ProviderSettings } from '../admin/types.ts'
import { useLanguage, useTexts } from '../texts/index.tsx'

/** The providers that the site of the current page configured, by name; undefined on other pages and until they are loaded. */
function useConfigured(): ReadonlyMap<string, NonNullable<ProviderSettings['definition']>> | undefined {
  const [, inSite] = useRoute('/accounts/:account/sites/:site_id/*?')
  const { account = '', site_id = '' } = inSite ?? {}
  const { data } = useRead('listProviderSettings', { account, site_id }, { enabled: inSite !== null })
  return (
    data &&
    new Map(data.providers.flatMap(({ provider, definition }) => (definition === null ? [] : [[provider, definition]])))
  )
}

/** Names providers in the language of the page: one that the site configured by the name that it gave. */
export function useNameProvider(): (provider: Provider) => string {
  const { common } = useTexts()
  const { language } = useLanguage()
  const configured = useConfigured()
  return (provider) => {
    const own = configured?.get(provider)?.display_name
    return own?.[language] ?? own?.en ?? common.providers[provider] ?? provider
  }
}

interface SiteProviders {
  /** Built-in ones first. */
  readonly all: readonly Provider[]
  /** Those that end users can log in with. */
  readonly logins: readonly LoginProvider[]
  /** Those that the site configured. */
  readonly configured: readonly LoginProvider[]
}

/** The providers of the site of the current page; undefined until they are loaded. */
export function useSiteProviders(): SiteProviders | undefined {
  const read = useConfigured()
  if (read === undefined) return undefined
  const configured = [...read.keys()]
  return { all: [...providers, ...configured], logins: [...loginProviders, ...configured], configured }
}
