import type { Provider } from '#contracts'
import type { Logger } from '#runtime'
import { device } from './device.ts'
import { fetchFromProvider } from './fetch.ts'
import { messaging } from './messaging.ts'
import { oidc } from './oidc.ts'
import { portal } from './portal.ts'
import type { Adapter, LoginProvider } from './provider.ts'
import { search } from './search.ts'

/** Every login provider that can be logged in with. */
export const adapters: readonly Adapter[] = [oidc(messaging), oidc(portal), oidc(search), oidc(device)]

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
  const connection = { simulator_url, fetch: fetchFromProvider, logger }
  const byName = new Map(adapters.map(({ provider, connect }) => [provider, connect(connection)]))
  return (provider) => byName.get(provider)
}
