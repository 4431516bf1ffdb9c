import type { Knex } from 'knex'
import { removeLinkCodes } from './authorization-codes.ts'
import { removeLinkCredentials } from './credentials.ts'
import { removeLinkOneTimeTokens } from './one-time-tokens.ts'
import type { SealedCredential } from './sealed-credentials.ts'

/**
 * Removes what logins of links brought that were recorded until a time: credentials, codes with their access tokens, and
 * one-time tokens. The links must be locked.
 *
 * @returns the credentials
 */
export async function removeLinkData(
  trx: Knex.Transaction,
  link_ids: readonly string[],
  recorded_until: Date | 'infinity',
): Promise<readonly SealedCredential[]> {
  await removeLinkCodes(trx, link_ids, recorded_until)
  await removeLinkOneTimeTokens(trx, link_ids, recorded_until)
  return removeLinkCredentials(trx, link_ids, recorded_until)
}
