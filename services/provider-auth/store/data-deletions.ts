import { randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import { limits } from '#contracts'

interface DataDeletion {
  readonly site: number
  readonly login_provider_identifier: string
  readonly confirmation_code: string
}

/** Records a completed data deletion; returns its confirmation code of letters and digits. */
export async function insertDataDeletion(
  knex: Knex,
  { site, login_provider_identifier }: Pick<DataDeletion, 'site' | 'login_provider_identifier'>,
): Promise<string> {
  const confirmationCode = randomBytes(10).toString('hex').toUpperCase()
  await knex('data_deletions').insert({ site, confirmation_code: confirmationCode, login_provider_identifier })
  return confirmationCode
}

/** When the deletion was completed; undefined for a code that is unknown or too old. */
export async function findDataDeletion(
  knex: Knex,
  { site, login_provider_identifier, confirmation_code }: DataDeletion,
): Promise<Date | undefined> {
  const row: { readonly completed_at: Date } | undefined = await knex('data_deletions')
    .where({ site, login_provider_identifier, confirmation_code })
    .first('completed_at')
  return row?.completed_at
}

export async function deleteExpiredDataDeletions(knex: Knex): Promise<void> {
  const end = knex.raw('now() - make_interval(secs => ?)', [limits.data_deletion_page_seconds])
  await knex('data_deletions').where('completed_at', '<', end).delete()
}
