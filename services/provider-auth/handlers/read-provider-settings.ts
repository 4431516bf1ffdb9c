import type { Handler } from '#bus'
import type { providerAuthContract } from '#contracts'
import type { Deps } from '../deps.ts'
import { listSettingsResponses } from '../settings-response.ts'

type Procedure = (typeof providerAuthContract.procedures)['readProviderSettings']

export const readProviderSettings: Handler<Procedure, Deps> = async ({ site, provider }, deps) => {
  const [settings] = await listSettingsResponses(site, provider, deps)
  if (settings === undefined) throw new Error('listSettingsResponses must return one response per provider.')
  return settings
}
