import { use } from 'react'
import type { ProviderSettings } from '../admin/types.ts'
import type { Guide } from './guide.ts'
import { useLanguage } from './index.tsx'

/** React's `use` requires the same promise at each call. */
const loading = new Map<() => Promise<unknown>, Promise<unknown>>()

function useLoaded<T>(load: () => Promise<T>): T {
  // The promise is the function's.
  const promise = (loading.get(load) ?? load()) as Promise<T>
  loading.set(load, promise)
  return use(promise)
}

/**
 * The texts about a login provider in the language of the page: those of a built-in provider or of an entry of the catalog, and
 * one in common for all others. Suspends until they are loaded.
 */
export function useGuide({ provider, definition }: Pick<ProviderSettings, 'provider' | 'definition'>): Guide {
  const { guides, loadConfiguredGuides } = useLanguage()
  const load = guides[`./providers/${provider}.json`]
  const isConfigured = load === undefined
  const loaded = useLoaded<Guide | Readonly<Record<string, Guide>>>(isConfigured ? loadConfiguredGuides : load)
  if (!isConfigured) return loaded as Guide
  const files = loaded as Readonly<Record<string, Guide>>
  const guide = files[`./configured/${definition?.catalog}.json`] ?? files['./configured/configured.json']
  if (guide === undefined) throw new Error('The texts about configured providers are missing.')
  return guide
}
