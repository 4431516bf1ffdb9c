import type { Call } from '#bus'
import type { Provider } from '#contracts'
import type { Parameters } from '#http'
import type { Deps } from '../deps.ts'
import type { FindLoginProvider } from '../providers/index.ts'

/** A browser that arrived at one of our addresses, without what is HTTP about it. */
export interface Arrival {
  /** Named by the path; undefined for a name that is none. */
  readonly provider: Provider | undefined
  readonly login_provider_identifier: string
  readonly parameters: Parameters
  /** The `Cookie` field. */
  readonly cookie: string | undefined
  readonly call: Call
}

export type AuthorizeDeps = Deps & { readonly findLoginProvider: FindLoginProvider }
