import { toCredential } from '../credential-response.ts'
import type { ProviderAuthHandlers } from '../deps.ts'
import { findCredentials } from '../store/credentials.ts'
import { decryptUndamagedTokens } from '../store/encrypted-credentials.ts'

export const exportCredentials: ProviderAuthHandlers['exportCredentials'] = async (links, { reader, encryptor }) => {
  const credentials = await findCredentials(reader, links)
  const opened = await Promise.all(credentials.map((encrypted) => decryptUndamagedTokens(encryptor, encrypted)))
  return { credentials: Object.fromEntries(opened.map((stored) => [stored.link_id, toCredential(stored)])) }
}
