import { setTimeout as delay } from 'node:timers/promises'
import type { Knex } from 'knex'
import { findCredentials } from '../store/credentials.ts'
import type { EncryptedCredential } from '../store/encrypted-credentials.ts'

/** How often it is looked whether another replica is done. Our choice. */
const lookEveryMs = 100

/** What another replica, or a login, made of a credential; undefined when nothing did within the time, or it is gone. */
export async function whenRenewedElsewhere(
  stored: EncryptedCredential,
  { knex, withinMs }: { readonly knex: Knex; readonly withinMs: number },
): Promise<EncryptedCredential | undefined> {
  const deadlineAt = performance.now() + withinMs
  while (performance.now() < deadlineAt) {
    const [found] = await findCredentials(knex, [stored.link_id])
    if (found?.token_set !== stored.token_set) return found
    if (found.renewing_until === null || found.renewing_until.getTime() < Date.now()) return undefined
    await delay(lookEveryMs)
  }
  return undefined
}
