import type { Handler } from '#bus'
import type { providerAuth } from '#contracts'
import type { Deps } from '../deps.ts'
import { toldSettings } from '../told-settings.ts'

type Procedure = (typeof providerAuth.procedures)['readProviderSettings']

export const readProviderSettings: Handler<Procedure, Deps> = async ({ site, provider }, deps) => {
  const [settings] = await toldSettings(site, [provider], deps)
  if (settings === undefined) throw new Error('Settings are told of every provider asked for.')
  return settings
}
