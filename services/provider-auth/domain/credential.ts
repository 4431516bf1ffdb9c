import type { Provider } from '#contracts'
import type { LinkLogin } from './link-login.ts'

/** Tokens a login provider gave for a link; null where it gives none. */
export interface GivenCredential extends LinkLogin {
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
export type Tokens = Pick<GivenCredential, 'access_token' | 'access_secret' | 'refresh_token' | 'expires_at'>
