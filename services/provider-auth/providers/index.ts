import { type LoginProvider as LoginProviderName, loginProviders, type Provider } from '#contracts'
import type { Logger } from '#runtime'
import type { Outbound } from '../outbound/index.ts'
import { device } from './device.ts'
import { messaging } from './messaging.ts'
import { microblog } from './microblog.ts'
import { oauth2 } from './oauth2.ts'
import { oidc } from './oidc.ts'
import { portal } from './portal.ts'
import type { Adapter, LoginProvider } from './provider.ts'
import { search } from './search.ts'
import { social } from './social.ts'

export const adapters: Readonly<Record<LoginProviderName, Adapter>> = {
  messaging: oidc(messaging),
  portal: oidc(portal),
  social: oauth2(social),
  search: oidc(search),
  device: oidc(device),
  microblog,
}

export type FindLoginProvider = (provider: Provider) => LoginProvider | undefined

/**
 * The login providers, at their real addresses unless the simulator stands in for them.
 *
 * @param simulatorUrl base address of the simulator; plain HTTP is spoken only to it
 */
export function connectProviders({
  simulatorUrl,
  outbound,
  logger,
}: {
  readonly simulatorUrl: string | undefined
  readonly outbound: Outbound
  readonly logger: Logger
}): FindLoginProvider {
  const connected = new Map<Provider, LoginProvider>(
    loginProviders.map((provider) => [
      provider,
      adapters[provider].connect({ simulatorUrl, fetch: outbound.fetchFor(provider), logger }),
    ]),
  )
  return (provider) => connected.get(provider)
}
