import type { Handler } from '#bus'
import type { CredentialFreshness, providerAuth } from '#contracts'
import { toTimestamp, toTimestampOrNull } from '#runtime'
import type { Deps } from '../deps.ts'
import { isExpired } from '../domain/freshness.ts'
import type { EncryptedCredential } from '../store/encrypted-credentials.ts'

type Procedure = (typeof providerAuth.procedures)['readCredentialFreshness']

export const readCredentialFreshness: Handler<Procedure, Deps> = async (
  { link_ids },
  { findCredential, findLoginProvider },
) => {
  const isRenewable = ({ provider, needs_reauth_at }: EncryptedCredential) =>
    findLoginProvider(provider)?.refresh !== undefined && needs_reauth_at === null
  const stateOf = (stored: EncryptedCredential): CredentialFreshness['state'] => {
    if (!isExpired(stored, Date.now())) return 'valid'
    return isRenewable(stored) ? 'expired' : 'needs_reauth'
  }
  const found = await Promise.all(link_ids.map((linkId) => findCredential(linkId)))
  const credentials = found
    .filter((stored) => stored !== undefined)
    .map((stored): [string, CredentialFreshness] => [
      stored.link_id,
      {
        state: stateOf(stored),
        can_refresh: isRenewable(stored),
        expires_at: toTimestampOrNull(stored.expires_at),
        failed_renewals: stored.failed_renewals,
        updated_at: toTimestamp(stored.updated_at),
      },
    ])
  return { credentials: Object.fromEntries(credentials) }
}
