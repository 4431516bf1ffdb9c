import { use } from 'react'
import type { LoginProvider } from '../admin/types.ts'
import { describeLogin } from '../parts/describe-provider.ts'
import type { Guide, Guides } from './guide.ts'
import { useLanguage } from './index.tsx'

/** React's `use` requires the same promise at each call. */
const loading = new Map<Guides[string], ReturnType<Guides[string]>>()

/**
 * The texts about a login provider in the language of the page; those that sites configured have one in common. Suspends
 * until they are loaded.
 */
export function useGuide(provider: LoginProvider): Guide {
  const file = describeLogin(provider) === undefined ? 'configured' : provider
  const load = useLanguage().guides[`./providers/${file}.json`]
  if (load === undefined)
    throw new Error(`The texts about ${file} are missing. Add texts/<language>/providers/${file}.json.`)
  const loaded = loading.get(load) ?? load()
  loading.set(load, loaded)
  return use(loaded)
}
