import type { Handler } from '#bus'
import type { providerAuthContract } from '#contracts'
import { toCredential } from '../credential-response.ts'
import type { Deps } from '../deps.ts'
import { findCredentials } from '../store/credentials.ts'
import { decryptUndamagedTokens } from '../store/encrypted-credentials.ts'

type Procedure = (typeof providerAuthContract.procedures)['exportCredentials']

export const exportCredentials: Handler<Procedure, Deps> = async (links, { reader, encryptor }) => {
  const credentials = await findCredentials(reader, links)
  const opened = await Promise.all(credentials.map((encrypted) => decryptUndamagedTokens(encryptor, encrypted)))
  return { credentials: Object.fromEntries(opened.map((stored) => [stored.link_id, toCredential(stored)])) }
}
