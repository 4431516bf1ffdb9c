import type { Handler } from '#bus'
import { type Credential, type Provider, type providerAuthContract, providerDescriptions } from '#contracts'
import { toTimestamp, toTimestampOrNull } from '#runtime'
import type { Deps } from '../deps.ts'
import { findCredentials } from '../store/credentials.ts'
import { decryptCredential, decryptUndamagedTokens, type StoredCredential } from '../store/encrypted-credentials.ts'

type Procedure = (typeof providerAuthContract.procedures)['readCredentials']

/**
 * Whether the Web API's credential object contains the provider's tokens. Others are not refreshed, and their damaged
 * tokens are ignored.
 */
const showsTokens = (provider: Provider) => 'access_token' in providerDescriptions[provider].credential.fields

export const readCredentials: Handler<Procedure, Deps> = async (links, deps, call) => {
  const { reader, refreshIfExpired, encryptor } = deps
  const found = await findCredentials(reader, links)
  const opened = await Promise.all(
    found.map(async (encrypted) =>
      showsTokens(encrypted.provider)
        ? decryptCredential(encryptor, await refreshIfExpired(encrypted, call))
        : decryptUndamagedTokens(encryptor, encrypted),
    ),
  )
  return { credentials: Object.fromEntries(opened.map((stored) => [stored.link_id, toCredential(stored)])) }
}

function toCredential(stored: StoredCredential): Credential {
  const { access_token, access_secret, refresh_token } = stored
  return {
    access_token,
    access_secret,
    refresh_token,
    expires_at: toTimestampOrNull(stored.expires_at),
    created_at: toTimestamp(stored.created_at),
    updated_at: toTimestamp(stored.updated_at),
  }
}
