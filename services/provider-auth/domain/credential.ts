import type { Provider } from '#contracts'
import type { LinkRecord } from './link-record.ts'

/** Tokens a login provider gave for a link; null where it gives none. */
export interface ProviderCredential extends LinkRecord {
  readonly site: number
  readonly provider: Provider
  /** The account they are of. */
  readonly provider_user_id: string
  readonly access_token: string | null
  readonly access_secret: string | null
  readonly refresh_token: string | null
  readonly expires_at: Date | null
}

/** Tokens of a person at a provider; null where it gives none. */
export type ProviderTokens = Pick<ProviderCredential, 'access_token' | 'access_secret' | 'refresh_token' | 'expires_at'>
