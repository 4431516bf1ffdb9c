import { descriptions, providers } from 'virtual:contract/providers'
import type { Provider } from '../admin/types.ts'

/** Returns the names of the built-in providers in one language. */
export function getProviderNames(language: 'en' | 'ja'): Readonly<Record<Provider, string>> {
  return Object.fromEntries(providers.map((provider) => [provider, descriptions[provider].displayName[language]]))
}
