import type { Call } from '#bus'
import type { Language, Provider } from '#contracts'
import type { Parameters } from '#http'

/** A browser that arrived at one of our addresses, without what is HTTP about it. */
export interface RequestContext {
  /** Named by the path; undefined for a name that is none. */
  readonly provider: Provider | undefined
  readonly parameters: Parameters
  /** The query or form that the parameters were read from, as it stands, for a provider's dialect to read. */
  readonly rawParameters: string
  /** The `Cookie` field. */
  readonly cookie: string | undefined
  /** The caller's IP address, where it is known. */
  readonly address: string | undefined
  /** What the application wishes our pages to be in. */
  readonly language: Language | undefined
  readonly call: Call
}

/** At the authorization endpoint or a provider's callback. */
export interface SettingsRequestContext extends RequestContext {
  readonly login_provider_identifier: string
}

/** At one of a site's own login pages. */
export interface SiteRequestContext extends RequestContext {
  readonly account: string
  readonly site_id: string
}
