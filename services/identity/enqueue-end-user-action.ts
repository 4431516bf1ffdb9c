import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { Call } from '#bus'
import type { EndUserActionDetails } from '#contracts'
import type { Deps } from './deps.ts'
import { endUserActionMessage } from './outbox.ts'
import { findSiteName } from './store/sites.ts'

interface ActingUser {
  readonly site: number
  readonly identifier: string
  /** When the action took effect. */
  readonly time: Date
}

/** Reports what an end user did to the audit trail of the site: stores the message in the transaction of the effect. */
export async function enqueueEndUserAction(
  trx: Knex.Transaction,
  { site, identifier, time }: ActingUser,
  action: EndUserActionDetails,
  { outbox }: Pick<Deps, 'outbox'>,
  { request_id }: Pick<Call, 'request_id'>,
): Promise<void> {
  const name = await findSiteName(trx, site)
  if (name === undefined) return
  const message = { ...action, ...name, identifier, action_id: randomUUID(), at: time.toISOString(), request_id }
  await outbox.enqueue(trx, [endUserActionMessage(message)])
}
