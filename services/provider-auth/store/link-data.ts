import type { Knex } from 'knex'
import { deleteLinkCodes } from './authorization-codes.ts'
import { deleteLinkCredentials } from './credentials.ts'
import { deleteLinkOneTimeTokens } from './one-time-tokens.ts'
import type { SealedCredential } from './sealed-credentials.ts'

/**
 * Removes what logins of links brought that were recorded until a time: credentials, codes with their access tokens, and
 * one-time tokens. The links must be locked.
 *
 * @returns the credentials
 */
export async function deleteLinkData(
  trx: Knex.Transaction,
  link_ids: readonly string[],
  recorded_until: Date | 'infinity',
): Promise<readonly SealedCredential[]> {
  await deleteLinkCodes(trx, link_ids, recorded_until)
  await deleteLinkOneTimeTokens(trx, link_ids, recorded_until)
  return deleteLinkCredentials(trx, link_ids, recorded_until)
}
