import type { Registry } from 'prom-client'
import { builtInLoginProviders, loginProviderDescriptions, type Provider } from '#contracts'
import { createCounter, type Logger } from '#runtime'
import type { FindProviderClient, ProviderClient, ProviderKey } from '../../domain/provider-client.ts'
import { toMetricLabel } from '../../usage/metric-label.ts'
import type { HttpClient } from '../http-client/index.ts'
import type { AdapterDeps } from './adapter.ts'
import { connectProvider } from './connect-provider.ts'
import { describeConfigured } from './describe-configured.ts'
import { createAddressMapper, createCatalogMapper } from './simulator-address.ts'

/** A built-in provider, without a site's settings. */
export function builtInKey(provider: Provider): ProviderKey {
  return { provider, definition: null, endpoints: null }
}

/** Configured providers in memory; beyond that, all are connected again. Our choice. */
const maxConfigured = 10_000

/**
 * Connects the login providers: the built-in ones at their real addresses or at the simulator, those that sites
 * configured at their addresses, when they are first used.
 *
 * @param simulatorUrl base address of the simulator, which may be reached over plain HTTP
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
  const depsOf = (
    provider: Provider,
    connection: Pick<AdapterDeps, 'toAddress' | 'allowsHttp' | 'fetch'>,
  ): AdapterDeps => ({
    ...connection,
    logger,
    skipProfile(error) {
      logger.warn(
        { error, provider },
        'the profile could not be fetched from the provider; the login continues without it',
      )
      withoutProfile.inc({ provider: toMetricLabel(provider) })
    },
  })

  const connected = new Map<Provider, ProviderClient>(
    builtInLoginProviders.map((provider) => {
      const connection = {
        toAddress: createAddressMapper(simulatorUrl, provider),
        allowsHttp: simulatorUrl !== undefined,
        fetch: httpClient.fetchFor(provider),
      }
      return [provider, connectProvider(provider, loginProviderDescriptions[provider], depsOf(provider, connection))]
    }),
  )

  // The HTTP client decides which addresses may be reached without TLS.
  const configuredConnection = {
    toAddress: createCatalogMapper(simulatorUrl),
    allowsHttp: true,
    fetch: httpClient.fetchConfigured,
  }
  const configured = new Map<string, ProviderClient>()
  const findConfigured = ({ provider, definition, endpoints }: ProviderKey): ProviderClient | undefined => {
    if (definition === null || endpoints === null) return undefined
    const key = JSON.stringify([provider, definition.protocol, endpoints])
    const known = configured.get(key)
    if (known !== undefined) return known
    const description = describeConfigured(definition, endpoints)
    const client = connectProvider(provider, description, depsOf(provider, configuredConnection))
    if (configured.size >= maxConfigured) configured.clear()
    configured.set(key, client)
    return client
  }
  return (settings) => connected.get(settings.provider) ?? findConfigured(settings)
}
