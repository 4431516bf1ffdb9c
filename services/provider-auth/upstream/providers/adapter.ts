import type { LoginProviderDescription, LoginProvider as LoginProviderName } from '#contracts'
import type { Logger } from '#runtime'
import type { FetchFromProvider } from '../http-client/fetch.ts'

/** What adapters use of a provider's description. */
export type LoginDescription = Pick<LoginProviderDescription, 'supplies' | 'protocols' | 'permissions' | 'native'>

/** A login provider with one of its protocols. */
export interface DescribedLogin<P> {
  readonly provider: LoginProviderName
  readonly description: LoginDescription
  readonly protocol: P
}

/** What connects an adapter to its provider. */
export interface AdapterDeps {
  /** Maps an address of the provider to the simulator, if it replaces the provider. */
  readonly toAddress: (address: string) => string
  /** Whether the provider may be reached over plain HTTP. */
  readonly allowsHttp: boolean
  readonly fetch: FetchFromProvider
  readonly logger: Logger
  /** Logs and counts a login that goes on without the profile, which could not be fetched. */
  readonly skipProfile: (error: unknown) => void
}
