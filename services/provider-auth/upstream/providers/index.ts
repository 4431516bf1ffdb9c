import type { Registry } from 'prom-client'
import { type LoginProvider as LoginProviderName, loginProviders, type Provider } from '#contracts'
import { createCounter, type Logger } from '#runtime'
import type { HttpClient } from '../http-client/index.ts'
import { deviceDescription } from './device.ts'
import { messagingDescription } from './messaging.ts'
import { microblogAdapter } from './microblog.ts'
import { oauth2 } from './oauth2.ts'
import { oidc } from './oidc.ts'
import { portalDescription } from './portal.ts'
import type { Adapter, ProviderClient } from './provider.ts'
import { searchDescription } from './search.ts'
import { socialDescription } from './social.ts'

export const adapters: Readonly<Record<LoginProviderName, Adapter>> = {
  messaging: oidc(messagingDescription),
  portal: oidc(portalDescription),
  social: oauth2(socialDescription),
  search: oidc(searchDescription),
  device: oidc(deviceDescription),
  microblog: microblogAdapter,
}

export type FindProviderClient = (provider: Provider) => ProviderClient | undefined

/**
 * Connects the login providers at their real addresses, or at the simulator.
 *
 * @param simulatorUrl base address of the simulator, the only address that may be reached over plain HTTP
 */
export function connectProviders({
  simulatorUrl,
  httpClient,
  logger,
  registry,
}: {
  readonly simulatorUrl: string | undefined
  readonly httpClient: HttpClient
  readonly logger: Logger
  readonly registry: Registry
}): FindProviderClient {
  const withoutProfile = createCounter(registry, 'sociallogin_logins_without_profile_total')
  const skipProfileOf = (provider: LoginProviderName) => (error: unknown) => {
    logger.warn(
      { error, provider },
      'the profile could not be fetched from the provider; the login continues without it',
    )
    withoutProfile.inc({ provider })
  }
  const connected = new Map<Provider, ProviderClient>(
    loginProviders.map((provider) => [
      provider,
      adapters[provider].connect({
        simulatorUrl,
        fetch: httpClient.fetchFor(provider),
        logger,
        skipProfile: skipProfileOf(provider),
      }),
    ]),
  )
  return (provider) => connected.get(provider)
}
