import { describeProvider, type Provider } from '#contracts'
import { toCredential } from '../credential-response.ts'
import type { ProviderAuthHandlers } from '../deps.ts'
import { findCredentials } from '../store/credentials.ts'
import { decryptCredential, decryptUndamagedTokens } from '../store/encrypted-credentials.ts'

/**
 * Whether the Web API's credential object contains the provider's tokens. Others are not refreshed, and their damaged
 * tokens are ignored.
 */
const showsTokens = (provider: Provider) => 'access_token' in describeProvider(provider).credential.fields

export const readCredentials: ProviderAuthHandlers['readCredentials'] = async (links, deps, call) => {
  const { reader, refreshIfExpired, encryptor } = deps
  const credentials = await findCredentials(reader, links)
  const opened = await Promise.all(
    credentials.map(async (encrypted) =>
      showsTokens(encrypted.provider)
        ? decryptCredential(encryptor, await refreshIfExpired(encrypted, call))
        : decryptUndamagedTokens(encryptor, encrypted),
    ),
  )
  return { credentials: Object.fromEntries(opened.map((stored) => [stored.link_id, toCredential(stored)])) }
}
