import { z } from 'zod'
import { limits, ProviderNamesSetting, providerNames } from '#contracts'
import {
  busSettings,
  ConfigError,
  configReader,
  databaseSettings,
  encryptionKeysSettings,
  isSecureAddress,
  listenSettings,
  processSettings,
  redisSettings,
  setting,
} from '#runtime'
import { parseHostPattern } from './hosts/host-pattern.ts'

export const readConfig = configReader({
  ...processSettings,
  ...listenSettings(8_081),
  ...databaseSettings,
  ...busSettings,
  ...redisSettings,
  /** The public address of this service: the issuer of its ID Tokens, to which `/oauth2/…` is appended. */
  AUTH_URL: setting.baseUrl.refine(
    isSecureAddress,
    'must use https, except on localhost: browsers send authorization codes and cookies to it',
  ),
  /** The Web API's public base address. The discovery document links to its documentation. */
  WEB_API_URL: setting.baseUrl.optional(),
  /** The key ring that encrypts secrets at rest: the value itself or a file; set exactly one. */
  ...encryptionKeysSettings,
  /** Whether requests continue the trace of their `traceparent` header. */
  TRUST_TRACEPARENT: setting.yes.default(false),
  /** Wire names of login providers that differ from the neutral tokens: `<token>:<name>[,…]`. */
  PROVIDER_NAMES: setting.pairs.pipe(ProviderNamesSetting).default(() => providerNames()),
  /** Replaces every login provider with the provider simulator at this address: anyone can log in as any user. */
  PROVIDER_SIMULATOR_URL: setting.baseUrl.optional(),
  /** Where this service connects to the simulator, if browsers reach it at another address. */
  PROVIDER_SIMULATOR_INTERNAL_URL: setting.baseUrl.optional(),
  /** Allows the simulator although `NODE_ENV` is neither `development` nor `test`. */
  ALLOW_PROVIDER_SIMULATOR: setting.yes.default(false),
  NODE_ENV: z.string().optional(),
  /** Logins that one source address may start per window; 0 means unlimited. */
  LOGINS_PER_ADDRESS: setting.whole.default(limits.started_logins_per_window),
  /** Private addresses where login providers that sites configure may be, also without TLS, e.g. `10.0.0.0/8`. By default none. */
  PROVIDER_PRIVATE_ADDRESSES: setting.addresses.default([]),
  /** A directory with further languages of the login pages: `<language>.json` with the keys of `en.json`. */
  PAGE_LANGUAGES_DIRECTORY: z.string().optional(),
  /** A file in the MMDB format, from which the log of logins has the countries of end users. By default it has none. */
  COUNTRY_DATABASE: z.string().optional(),
  /** Gives each site a host, e.g. `{site_id}.{account}.login.example.com`. Without `{account}`, site IDs must be unique. */
  SITE_HOST_PATTERN: z
    .string()
    .refine(
      (text) => parseHostPattern(text) !== undefined,
      'must begin with the label {site_id}, or {site_id} and {account}, and end with a domain',
    )
    .optional(),
  /** DNS servers that are asked for the proof of a host, e.g. `9.9.9.9,1.1.1.1`. By default those of the machine. */
  HOST_PROOF_DNS_SERVERS: setting.servers.default([]),
  /** How long a circuit breaker stays open before one call tests the provider again. With that call, less than ten seconds. */
  PROVIDER_CIRCUIT_OPEN_MS: setting.whole.default(4_000),
})

export type Config = ReturnType<typeof readConfig>

/** @throws ConfigError when the simulator is set outside development and tests without `ALLOW_PROVIDER_SIMULATOR` */
export function rejectSimulatorInProduction({
  PROVIDER_SIMULATOR_URL,
  ALLOW_PROVIDER_SIMULATOR,
  NODE_ENV = '',
}: Config): void {
  if (PROVIDER_SIMULATOR_URL === undefined || ALLOW_PROVIDER_SIMULATOR) return
  if (['development', 'test'].includes(NODE_ENV)) return
  throw new ConfigError([
    'PROVIDER_SIMULATOR_URL is set outside development and tests, so anyone could log in as any user. Remove it, or set ALLOW_PROVIDER_SIMULATOR=yes.',
  ])
}
