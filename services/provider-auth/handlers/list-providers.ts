import type { Handler } from '#bus'
import { allProviders, type providerAuthContract } from '#contracts'
import type { Deps } from '../deps.ts'

type Procedure = (typeof providerAuthContract.procedures)['listProviders']

/** Only complete settings are stored, so every enabled provider is usable. */
export const listProviders: Handler<Procedure, Deps> = async ({ site }, { findEnabledProviders }) => {
  const enabled = new Set(await findEnabledProviders(site))
  return { providers: allProviders.filter((provider) => enabled.has(provider)) }
}
