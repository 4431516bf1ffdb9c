import type { Call } from '#bus'
import type { BrowserFamily, Provider } from '#contracts'
import type { Parameters } from '#http'

/** A browser's request to one of our endpoints, independent of HTTP. */
export interface RequestContext {
  /** The provider in the path; undefined if it is unknown. */
  readonly provider: Provider | undefined
  readonly parameters: Parameters
  /** The query or form before parsing, which a provider's adapter parses itself. */
  readonly rawParameters: string
  /** The `Cookie` header. */
  readonly cookie: string | undefined
  /** The caller's IP address, if it is known. */
  readonly address: string | undefined
  readonly browser: BrowserFamily
  /** Of the address; null: unknown. */
  readonly country: string | null
  /** The language that the application requests for our pages, as a BCP 47 tag. */
  readonly language: string | undefined
  readonly call: Call
}

/** A request to the authorization endpoint or a callback. */
export interface SettingsRequestContext extends RequestContext {
  readonly login_provider_identifier: string
}

/** A request to a site's own login pages. */
export interface SiteRequestContext extends RequestContext {
  readonly account: string
  readonly site_id: string
}
