import type { Knex } from 'knex'
import type { Counter, Registry } from 'prom-client'
import type { Call, Handlers } from '#bus'
import type { Input, ProviderNames, providerAuthContract } from '#contracts'
import type { Reader } from '#database'
import type { Encryptor, Logger, RedisClient } from '#runtime'
import type { ServiceClients } from './bus.ts'
import type { CountryDatabase } from './country-database.ts'
import type { FindProof, Hosts } from './domain/hosts.ts'
import type { DiscoverEndpoints, FindProviderClient } from './domain/provider-client.ts'
import type { ReadEventToken } from './domain/provider-event.ts'
import type { SigningKeys } from './domain/signing-keys.ts'
import type { CountStartedLogin } from './domain/started-logins.ts'
import type { ProviderAuthOutbox } from './outbox.ts'
import type { HasCompatibility } from './site-compatibility.ts'
import type { SiteSettings } from './site-settings.ts'
import type { EncryptedCredential } from './store/encrypted-credentials.ts'
import type { UsedLogins } from './store/used-logins.ts'
import type { PageLanguages } from './texts/page-languages.ts'
import type { LoginLog } from './usage/login-log.ts'
import type { LoginUsage } from './usage/login-usage.ts'
import type { RejectionBuffer } from './usage/rejection-buffer.ts'

/** The dependencies of handlers, routes and jobs. */
export interface Deps extends Omit<ServiceClients, 'console'> {
  readonly knex: Knex
  readonly reader: Reader
  readonly siteSettings: SiteSettings
  readonly hasCompatibility: HasCompatibility
  readonly redis: RedisClient
  readonly encryptor: Encryptor
  readonly names: ProviderNames
  readonly renderPreview: (
    input: Input<(typeof providerAuthContract.procedures)['previewPage']>,
    deps: Deps,
    call: Call,
  ) => Promise<string>
  /** The languages of the pages. */
  readonly languages: PageLanguages
  /** The issuer on the host that was called, without a trailing slash; the installation's own outside of requests. */
  readonly auth_url: string
  readonly hosts: Hosts
  readonly findHostProof: FindProof
  /** Whether a site is served on the host that was called. */
  readonly isServed: (site: number) => boolean
  /** The base address of the Web API and its documentation; undefined if it is not configured. */
  readonly webApiUrl: string | undefined
  /** Headers of every response. */
  readonly headers: Readonly<Record<string, string>>
  /** Number of trusted proxies (`X-Forwarded-For` entries that are believed). */
  readonly trusted_hops: number
  /** Whether requests continue the trace of their `traceparent` header. */
  readonly trustTraceparent: boolean
  readonly findProviderClient: FindProviderClient
  readonly discoverEndpoints: DiscoverEndpoints
  readonly countStartedLogin: CountStartedLogin
  readonly usedLogins: UsedLogins
  readonly readDeviceEvent: ReadEventToken
  readonly readSecurityEvent: ReadEventToken
  /** Returns the credential with refreshed tokens if they have expired. */
  readonly refreshIfExpired: (stored: EncryptedCredential, call: Call) => Promise<EncryptedCredential>
  /** Messages to other services. */
  readonly outbox: ProviderAuthOutbox
  readonly signingKeys: SigningKeys
  readonly rejections: RejectionBuffer
  readonly loginLog: Pick<LoginLog, 'add'>
  readonly findCountry: CountryDatabase['findCountry']
  readonly usage: Pick<LoginUsage, 'countLogin'>
  /** `sociallogin_authorize_flows_total`. */
  readonly authorizeFlows: Counter<'provider' | 'outcome'>
  readonly logger: Logger
  readonly registry: Registry
}

export type ProviderAuthHandlers = Handlers<typeof providerAuthContract, Deps>
