import type { Provider } from '#contracts'
import type { Logger } from '#runtime'
import { messaging } from './messaging.ts'
import { oidcProvider } from './oidc.ts'
import { atSimulator } from './oidc-description.ts'
import { portal } from './portal.ts'
import type { LoginProvider } from './provider.ts'
import { search } from './search.ts'

/** Every login provider that can be logged in with, as data. */
export const descriptions = [messaging, portal, search] as const

export type FindLoginProvider = (provider: Provider) => LoginProvider | undefined

/**
 * The login providers, at their real addresses unless the simulator stands in for them.
 *
 * @param simulator_url base address of the simulator; plain HTTP is spoken only to it
 */
export function loginProviders({
  simulator_url,
  logger,
}: {
  readonly simulator_url: string | undefined
  readonly logger: Logger
}): FindLoginProvider {
  const byName = new Map<Provider, LoginProvider>(
    descriptions.map((real) => [
      real.provider,
      simulator_url === undefined
        ? oidcProvider(real, { insecure: false, logger })
        : oidcProvider(atSimulator(real, simulator_url), { insecure: true, logger }),
    ]),
  )
  return (provider) => byName.get(provider)
}
