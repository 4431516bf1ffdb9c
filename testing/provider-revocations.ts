import { expect } from 'vitest'
import { openForTest } from './databases.ts'
import type { SharedStack } from './stack.ts'

/**
 * Waits until provider-auth has revoked the consents of unlinked accounts at the login providers. A revocation ends all
 * tokens of the account, so a concurrent login with it can fail.
 */
export async function whenConsentsRevoked({ database_urls }: Pick<SharedStack, 'database_urls'>): Promise<void> {
  await using database = openForTest(database_urls.provider_auth)
  const jobs = () => database.knex('jobs').where({ task: 'revoke_at_provider' })
  const due = () => jobs().whereRaw('(attempts = 0 or leased_until is not null)').pluck('key')
  await expect.poll(due).toEqual([])
}
