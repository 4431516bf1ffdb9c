import { descriptions, providers } from 'virtual:contract/providers'
import type { Provider } from '../admin/types.ts'

/** Returns the names of all providers in one language. */
export function getProviderNames(language: 'en' | 'ja'): Readonly<Record<Provider, string>> {
  const names = providers.map((provider) => [provider, descriptions[provider].displayName[language]])
  // Has an entry for every provider.
  return Object.fromEntries(names) as Record<Provider, string>
}
