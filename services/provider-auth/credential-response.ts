import type { Credential } from '#contracts'
import { toTimestamp, toTimestampOrNull } from '#runtime'
import type { AppTokens, ProviderTokens } from './domain/credential.ts'

/** Converts a stored credential to that of the contract. */
export function toCredential(
  stored: ProviderTokens & AppTokens & { readonly created_at: Date; readonly updated_at: Date },
): Credential {
  const { access_token, access_secret, refresh_token } = stored
  const { client_access_token, client_access_secret, client_refresh_token } = stored
  return {
    access_token,
    access_secret,
    refresh_token,
    expires_at: toTimestampOrNull(stored.expires_at),
    client_access_token,
    client_access_secret,
    client_refresh_token,
    client_expires_at: toTimestampOrNull(stored.client_expires_at),
    created_at: toTimestamp(stored.created_at),
    updated_at: toTimestamp(stored.updated_at),
  }
}
