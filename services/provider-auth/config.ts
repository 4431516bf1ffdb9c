import { ProviderNamesSetting, providerNames } from '#contracts'
import { busSettings, configReader, processSettings, redisSettings, sealKeysSettings, setting } from '#runtime'

export const readConfig = configReader({
  ...processSettings,
  PORT: setting.port.default(8_081),
  DATABASE_URL: setting.postgres_url,
  ...busSettings,
  ...redisSettings,
  /** The public address of this service: the issuer of its ID Tokens, to which `/oauth2/…` is appended. */
  AUTH_URL: setting.base_url,
  /** The ring of keys that secrets are sealed under at rest: itself, or a file of it; one of the two. */
  ...sealKeysSettings,
  /** How many proxies in front append to `X-Forwarded-For`; 0: the header is ignored. */
  TRUSTED_PROXY_HOPS: setting.whole.default(0),
  /** Whether requests continue the trace their `traceparent` tells of. */
  TRUST_TRACEPARENT: setting.yes.default(false),
  /** Wire names of login providers that differ from their tokens: `<token>:<name>[,…]`. */
  PROVIDER_NAMES: setting.pairs.pipe(ProviderNamesSetting).default(() => providerNames()),
  /** Has the provider simulator at this address stand in for every login provider. */
  PROVIDER_SIMULATOR_URL: setting.base_url.optional(),
  /** How long a login provider that failed is left alone before one call tries it again. */
  PROVIDER_CIRCUIT_OPEN_MS: setting.whole.default(10_000),
})

export type Config = ReturnType<typeof readConfig>
