import type { LoginProvider, ProviderDefinition, ProviderEndpoints, ProviderOptions } from '#contracts'

/** A site's settings of a login provider. */
export interface SiteProviderSettings {
  readonly site: number
  readonly account: string
  readonly site_id: string
  readonly provider: LoginProvider
  /** Of a provider that the site configured; null for a built-in one. */
  readonly definition: ProviderDefinition | null
  readonly endpoints: ProviderEndpoints | null
  readonly login_provider_identifier: string
  readonly client_id: string
  /** Decrypted. */
  readonly client_secret: string
  /** As the provider's description defines them. Decrypted. */
  readonly options: ProviderOptions
  readonly official_account: boolean
  readonly enabled: boolean
}
