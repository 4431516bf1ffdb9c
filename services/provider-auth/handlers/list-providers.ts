import type { Handler } from '#bus'
import { type providerAuth, providers } from '#contracts'
import type { Deps } from '../deps.ts'

type Procedure = (typeof providerAuth.procedures)['listProviders']

/** Only complete settings are stored, so every enabled provider is usable. */
export const listProviders: Handler<Procedure, Deps> = async ({ site }, { findEnabledProviders }) => {
  const enabled = new Set(await findEnabledProviders(site))
  return { providers: providers.filter((provider) => enabled.has(provider)) }
}
