import { setTimeout as delay } from 'node:timers/promises'
import type { Knex } from 'knex'
import { findCredentials } from '../../store/credentials.ts'
import type { EncryptedCredential } from '../../store/encrypted-credentials.ts'

/** How often the credential is polled. Our choice. */
const pollIntervalMs = 100

/**
 * Waits until another replica or a login has stored new tokens. Undefined if that does not happen within the timeout,
 * or the credential was deleted.
 */
export async function waitForRefresh(
  stored: EncryptedCredential,
  { knex, timeoutMs }: { readonly knex: Knex; readonly timeoutMs: number },
): Promise<EncryptedCredential | undefined> {
  const deadlineAt = performance.now() + timeoutMs
  while (performance.now() < deadlineAt) {
    const [found] = await findCredentials(knex, { site: stored.site, link_ids: [stored.link_id] })
    if (found?.token_set !== stored.token_set) return found
    if (found.refresh_locked_until === null || found.refresh_locked_until.getTime() < Date.now()) return undefined
    await delay(pollIntervalMs)
  }
  return undefined
}
