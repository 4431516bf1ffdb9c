import type { CredentialFreshness } from '#contracts'
import { toTimestamp, toTimestampOrNull } from '#runtime'
import type { ProviderAuthHandlers } from '../deps.ts'
import { isExpired } from '../domain/token-expiry.ts'
import { findCredentials } from '../store/credentials.ts'
import type { EncryptedCredential } from '../store/encrypted-credentials.ts'
import { mayRefresh } from '../upstream/token-refresh/credential-refresher.ts'

export const readCredentialFreshness: ProviderAuthHandlers['readCredentialFreshness'] = async (
  links,
  { reader, findProviderClient },
) => {
  const isRefreshable = ({ provider, needs_reauth_at }: EncryptedCredential) =>
    mayRefresh(provider, findProviderClient) && needs_reauth_at === null
  const stateOf = (stored: EncryptedCredential): CredentialFreshness['state'] => {
    if (!isExpired(stored, Date.now())) return 'valid'
    return isRefreshable(stored) ? 'expired' : 'needs_reauth'
  }
  const found = await findCredentials(reader, links)
  const credentials = found.map((stored): [string, CredentialFreshness] => [
    stored.link_id,
    {
      state: stateOf(stored),
      can_refresh: isRefreshable(stored),
      expires_at: toTimestampOrNull(stored.expires_at),
      failed_refreshes: stored.failed_refreshes,
      updated_at: toTimestamp(stored.updated_at),
    },
  ])
  return { credentials: Object.fromEntries(credentials) }
}
