import type { Handler } from '#bus'
import { compareProviders, type providerAuthContract } from '#contracts'
import type { Deps } from '../deps.ts'
import { listEnabledProviders } from '../store/provider-settings.ts'

type Procedure = (typeof providerAuthContract.procedures)['listProviders']

/** Only complete settings are stored, so every enabled provider is usable. */
export const listProviders: Handler<Procedure, Deps> = async ({ site }, { reader }) => {
  const enabled = new Set(await listEnabledProviders(reader, site))
  return { providers: [...enabled].sort(compareProviders) }
}
