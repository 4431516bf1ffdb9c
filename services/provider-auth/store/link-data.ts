import type { Knex } from 'knex'
import type { LinkLogins } from '../domain/link-record.ts'
import { deleteLinkCodes } from './authorization-codes.ts'
import { deleteLinkCredentials } from './credentials.ts'
import { deleteLinkRecipients } from './data-recipients.ts'
import type { EncryptedCredential } from './encrypted-credentials.ts'
import { deleteLinkOneTimeTokens } from './one-time-tokens.ts'

/**
 * Deletes the data of logins: credentials, codes with their access tokens, and one-time tokens; of deleted links also who received
 * data. The links must be locked.
 *
 * @returns the credentials
 */
export async function deleteLinkData(
  trx: Knex.Transaction,
  logins: LinkLogins,
): Promise<readonly EncryptedCredential[]> {
  await deleteLinkCodes(trx, logins)
  await deleteLinkOneTimeTokens(trx, logins)
  // Last: a token that was redeemed before it could be deleted has its record.
  if (logins.recorded_until === 'infinity') await deleteLinkRecipients(trx, logins)
  return deleteLinkCredentials(trx, logins)
}
