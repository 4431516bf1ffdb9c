import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { EndUserActionDetails } from '#contracts'
import type { Deps } from '../deps.ts'
import { createEndUserActionMessage } from '../outbox.ts'
import type { EndUserVisit } from './visit.ts'

/** Reports what the end user did to the audit trail of the site: stores the message in the transaction of the effect. */
export async function enqueueAction(
  trx: Knex.Transaction,
  { endUser, owner: { account, site_id }, context: { call } }: EndUserVisit,
  action: EndUserActionDetails & { readonly time: Date },
  { outbox }: Pick<Deps, 'outbox'>,
): Promise<void> {
  const { time, ...done } = action
  const { identifier } = endUser.session
  const { request_id } = call
  const input = { ...done, account, site_id, identifier, action_id: randomUUID(), at: time.toISOString(), request_id }
  await outbox.enqueue(trx, [createEndUserActionMessage(input)])
}
