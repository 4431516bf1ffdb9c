import { expect } from 'vitest'
import type { Constellation } from './constellation.ts'
import { openForTest } from './databases.ts'

/**
 * Waits until provider-auth has left the login providers of accounts that were unlinked. Leaving ends every token of the
 * account, so that a login with the account at that moment fails.
 */
export async function whenProvidersLeft({ database_urls }: Pick<Constellation, 'database_urls'>): Promise<void> {
  await using database = openForTest(database_urls.provider_auth)
  const jobs = () => database.knex('graphile_worker.jobs').where({ task_identifier: 'leave_provider' })
  const due = () => jobs().whereRaw('(attempts = 0 or locked_at is not null)').pluck('id')
  await expect.poll(due).toEqual([])
}
