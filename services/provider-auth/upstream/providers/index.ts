import type { Registry } from 'prom-client'
import {
  type LoginProvider as LoginProviderName,
  loginProviderDescriptions,
  loginProviders,
  type Provider,
} from '#contracts'
import { createCounter, type Logger } from '#runtime'
import type { HttpClient } from '../http-client/index.ts'
import { connectProvider } from './connect-provider.ts'
import type { ProviderClient } from './provider.ts'
import { createAddressMapper } from './simulator-address.ts'

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
      connectProvider(provider, loginProviderDescriptions[provider], {
        toAddress: createAddressMapper(simulatorUrl, provider),
        allowsHttp: simulatorUrl !== undefined,
        fetch: httpClient.fetchFor(provider),
        logger,
        skipProfile: skipProfileOf(provider),
      }),
    ]),
  )
  return (provider) => connected.get(provider)
}
