import { descriptions, providers } from 'virtual:contract/providers'
import type { Provider } from '../admin/types.ts'

/** The name of every provider in one language. */
export function getProviderNames(language: 'en' | 'ja'): Readonly<Record<Provider, string>> {
  const names = providers.map((provider) => [provider, descriptions[provider].displayName[language]])
  // Each provider is there.
  return Object.fromEntries(names) as Record<Provider, string>
}
