import { allowInsecureRequests, type Configuration, customFetch } from 'openid-client'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import type { AdapterDeps } from './adapter.ts'

/**
 * Creates the function that returns the configuration of openid-client for settings. Settings stay in memory until they
 * change, and their configuration as long as they do.
 */
export function createConfigure(
  build: (settings: SiteProviderSettings) => Configuration,
  { allowsHttp, fetch }: Pick<AdapterDeps, 'allowsHttp' | 'fetch'>,
): (settings: SiteProviderSettings) => Configuration {
  const configurations = new WeakMap<SiteProviderSettings, Configuration>()
  return (settings) => {
    const known = configurations.get(settings)
    if (known !== undefined) return known
    const configuration = build(settings)
    configuration[customFetch] = fetch
    if (allowsHttp) allowInsecureRequests(configuration)
    configurations.set(settings, configuration)
    return configuration
  }
}
