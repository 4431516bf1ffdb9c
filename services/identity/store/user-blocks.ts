import type { Knex } from 'knex'
import type { UserBlock } from '#contracts'
import { defineStatement, type EventToStore, insertOfEvent, toEventParameters } from '#database'
import type { UserKey } from './users.ts'

const updateBlock = defineStatement(
  `with stored as (${insertOfEvent(8)})
   update users set blocked_at = coalesce($3, blocked_at), blocked_until = $4, block_reason = $5, blocked_by = $6,
     sessions_ended_at = $7
   where site = $1 and identifier = $2`,
)

/** Blocks a locked user, with the event. `since`: null keeps that of the earlier block. */
export async function storeBlock(
  trx: Knex.Transaction,
  { site, identifier }: UserKey,
  { since, until, reason, by }: Omit<UserBlock, 'since'> & { readonly since: Date | null },
  time: Date,
  event: EventToStore,
): Promise<void> {
  await updateBlock(trx, [site, identifier, since, until, reason, by, time, ...toEventParameters(event)])
}

const deleteBlock = defineStatement(
  `with stored as (${insertOfEvent(3)})
   update users set blocked_at = null, blocked_until = null, block_reason = null, blocked_by = null
   where site = $1 and identifier = $2`,
)

/** Unblocks a locked user, with the event. */
export async function removeBlock(
  trx: Knex.Transaction,
  { site, identifier }: UserKey,
  event: EventToStore,
): Promise<void> {
  await deleteBlock(trx, [site, identifier, ...toEventParameters(event)])
}

const updateSessionsEnd = defineStatement('update users set sessions_ended_at = $3 where site = $1 and identifier = $2')

/** Ends the sessions of a locked user that began before a time. */
export async function endSessionsBefore(
  trx: Knex.Transaction,
  { site, identifier }: UserKey,
  time: Date,
): Promise<void> {
  await updateSessionsEnd(trx, [site, identifier, time])
}
