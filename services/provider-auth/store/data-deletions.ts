import { randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import { limits } from '#contracts'

/** Records a completed data deletion; returns its confirmation code of letters and digits. */
export async function insertDataDeletion(
  knex: Knex,
  { login_provider_identifier }: { readonly login_provider_identifier: string },
): Promise<string> {
  const confirmationCode = randomBytes(10).toString('hex').toUpperCase()
  await knex('data_deletions').insert({ confirmation_code: confirmationCode, login_provider_identifier })
  return confirmationCode
}

/** When the deletion was completed; undefined for a code that is unknown or too old. */
export async function findDataDeletion(
  knex: Knex,
  { login_provider_identifier, confirmation_code }: Readonly<Record<string, string>>,
): Promise<Date | undefined> {
  const row: { readonly completed_at: Date } | undefined = await knex('data_deletions')
    .where({ login_provider_identifier, confirmation_code })
    .first('completed_at')
  return row?.completed_at
}

export async function deleteExpiredDataDeletions(knex: Knex): Promise<void> {
  const end = knex.raw('now() - make_interval(secs => ?)', [limits.data_deletion_page_seconds])
  await knex('data_deletions').where('completed_at', '<', end).delete()
}
