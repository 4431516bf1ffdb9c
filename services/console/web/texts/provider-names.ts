import { descriptions, providers } from 'virtual:contract/providers'
import type { Provider } from '../admin/types.ts'

/** Returns the names of the built-in providers in one language. */
export function getProviderNames(language: 'en' | 'ja'): Readonly<Record<Provider, string>> {
  return Object.fromEntries(providers.map((provider) => [provider, descriptions[provider].displayName[language]]))
}

/** The name of a provider; the site's own name for one that it configured. */
export function nameProvider(
  provider: Provider,
  { providers: names }: { readonly providers: Readonly<Record<Provider, string>> },
): string {
  return names[provider] ?? provider
}
