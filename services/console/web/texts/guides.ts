import { use } from 'react'
import type { ProviderSettings } from '../admin/types.ts'
import type { Guide, LoadConfiguredGuides } from './guide.ts'
import { useLanguage } from './index.tsx'

/** React's `use` requires the same promise at each call. */
const loading = new Map<string, Promise<Guide>>()

/**
 * The texts about a login provider in the language of the page: those of a built-in provider or of an entry of the catalog, and
 * one in common for all others. Suspends until they are loaded.
 */
export function useGuide({ provider, definition }: Pick<ProviderSettings, 'provider' | 'definition'>): Guide {
  const { language, guides, loadConfiguredGuides } = useLanguage()
  const entry = definition?.catalog ?? 'configured'
  const load = guides[`./providers/${provider}.json`] ?? (() => loadConfiguredGuide(entry, loadConfiguredGuides))
  const key = [language, provider, entry].join(' ')
  const promise = loading.get(key) ?? load()
  loading.set(key, promise)
  return use(promise)
}

async function loadConfiguredGuide(entry: string, load: LoadConfiguredGuides): Promise<Guide> {
  const files = await load()
  const common = files['./configured/configured.json']
  if (common === undefined) throw new Error('The texts about configured providers are missing.')
  const { options = {} } = common
  return { options, ...(files[`./configured/${entry}.json`] ?? common) }
}
