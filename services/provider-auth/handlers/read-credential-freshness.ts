import type { Handler } from '#bus'
import type { CredentialFreshness, Provider, providerAuth } from '#contracts'
import { toTimestamp, toTimestampOrNull } from '#runtime'
import type { Deps } from '../deps.ts'
import { isExpired } from '../domain/freshness.ts'
import type { SealedCredential } from '../store/sealed-credentials.ts'

type Procedure = (typeof providerAuth.procedures)['readCredentialFreshness']

export const readCredentialFreshness: Handler<Procedure, Deps> = async (
  user,
  { findCredentials, findLoginProvider },
) => {
  const isRenewable = ({ provider, needs_reauth_at }: SealedCredential) =>
    findLoginProvider(provider)?.refresh !== undefined && needs_reauth_at === null
  const stateOf = (stored: SealedCredential): CredentialFreshness['state'] => {
    if (!isExpired(stored, Date.now())) return 'valid'
    return isRenewable(stored) ? 'expired' : 'needs_reauth'
  }
  const credentials: Partial<Record<Provider, CredentialFreshness>> = {}
  for (const stored of (await findCredentials(user)) ?? [])
    credentials[stored.provider] = {
      state: stateOf(stored),
      can_refresh: isRenewable(stored),
      expires_at: toTimestampOrNull(stored.expires_at),
      failed_renewals: stored.failed_renewals,
      updated_at: toTimestamp(stored.updated_at),
    }
  return { credentials }
}
