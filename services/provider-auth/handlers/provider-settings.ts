import { compareProviders } from '#contracts'
import type { ProviderAuthHandlers } from '../deps.ts'
import { listSettingsResponses } from '../settings-response.ts'
import { listConfiguredNames, listEnabledProviders } from '../store/provider-settings.ts'

export const listProviderSettings: ProviderAuthHandlers['listProviderSettings'] = async ({ site }, deps) => ({
  providers: await listSettingsResponses(site, undefined, deps),
})

export const readProviderSettings: ProviderAuthHandlers['readProviderSettings'] = async ({ site, provider }, deps) => {
  const [settings] = await listSettingsResponses(site, provider, deps)
  if (settings === undefined) throw new Error('listSettingsResponses must return one response per provider.')
  return settings
}

export const listConfiguredProviders: ProviderAuthHandlers['listConfiguredProviders'] = async (
  { site },
  { reader },
) => ({
  providers: await listConfiguredNames(reader, site),
})

/** Only complete settings are stored, so every enabled provider is usable. */
export const listProviders: ProviderAuthHandlers['listProviders'] = async ({ site }, { reader }) => {
  const enabled = new Set(await listEnabledProviders(reader, site))
  return { providers: [...enabled].sort(compareProviders) }
}
