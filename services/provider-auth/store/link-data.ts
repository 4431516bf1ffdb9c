import type { Knex } from 'knex'
import { deleteLinkCodes } from './authorization-codes.ts'
import { deleteLinkCredentials } from './credentials.ts'
import type { EncryptedCredential } from './encrypted-credentials.ts'
import { deleteLinkOneTimeTokens } from './one-time-tokens.ts'

/**
 * Deletes the data of links' logins that were recorded until a time: credentials, codes with their access tokens, and
 * one-time tokens. The links must be locked.
 *
 * @returns the credentials
 */
export async function deleteLinkData(
  trx: Knex.Transaction,
  linkIds: readonly string[],
  recordedUntil: Date | 'infinity',
): Promise<readonly EncryptedCredential[]> {
  await deleteLinkCodes(trx, linkIds, recordedUntil)
  await deleteLinkOneTimeTokens(trx, linkIds, recordedUntil)
  return deleteLinkCredentials(trx, linkIds, recordedUntil)
}
