import { z } from 'zod'
import { limits, ProviderNamesSetting, providerNames } from '#contracts'
import { busSettings, configReader, listenSettings, processSettings, redisSettings, SecretKey, setting } from '#runtime'

export const readConfig = configReader({
  ...processSettings,
  ...listenSettings(8_080),
  ...busSettings,
  ...redisSettings,
  /** The Web API's public base address, to which `/api/<resource>` is appended. */
  WEB_API_URL: setting.baseUrl,
  /** Authenticates the `next_uri` of `users`; the same for every gateway. */
  CURSOR_KEY: SecretKey,
  /** Wire names of login providers that differ from their tokens: `<token>:<name>[,…]`. */
  PROVIDER_NAMES: setting.pairs.pipe(ProviderNamesSetting).default(() => providerNames()),
  /** Whether requests continue the trace of their `traceparent`. */
  TRUST_TRACEPARENT: setting.yes.default(false),
  /** The alternate base address, recognized by its host name (specification, Limits: Caller addresses). */
  STATIC_BASE_URL: setting.baseUrl.optional(),
  /** The authorization endpoint's base address, to which the documentation links. */
  AUTH_URL: setting.baseUrl.optional(),
  /** Requests that the gateway works on at once. Our choice. */
  MAX_REQUESTS: setting.whole.pipe(z.int().min(1)).default(256),
  RATE_WINDOW_SECONDS: setting.whole.pipe(z.int().min(1)).default(limits.rate_window_seconds),
  /** How long the gateway waits for Redis before it applies its own share of the rate limit. */
  RATE_TIMEOUT_MS: setting.whole.pipe(z.int().min(1)).default(100),
})

export type Config = ReturnType<typeof readConfig>
