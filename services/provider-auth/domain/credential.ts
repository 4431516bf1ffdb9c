import type { Provider } from '#contracts'
import type { LinkRecord } from './link-record.ts'

/** Tokens that a login provider issued for a link; null if it issues none. */
export interface ProviderCredential extends LinkRecord {
  readonly site: number
  readonly provider: Provider
  /** The account at the provider. */
  readonly provider_user_id: string
  readonly access_token: string | null
  readonly access_secret: string | null
  readonly refresh_token: string | null
  readonly expires_at: Date | null
}

/** The tokens that a native app got from the provider's SDK. Only the app refreshes them. */
export interface AppTokens {
  readonly client_access_token: string | null
  readonly client_access_secret: string | null
  readonly client_refresh_token: string | null
  readonly client_expires_at: Date | null
}

/** An end user's tokens at a provider; null if it issues none. */
export type ProviderTokens = Pick<ProviderCredential, 'access_token' | 'access_secret' | 'refresh_token' | 'expires_at'>
