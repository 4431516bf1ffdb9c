import type { Knex } from 'knex'
import type { Executor } from '#database'
import { defineStatement } from '#database'

/** A provider's ID Token that an app logs in with. */
export interface PresentedIdToken {
  readonly site: number
  /** The hash of what the provider signed. The text of a signature can change without becoming invalid. */
  readonly token_hash: string
  /** Until when the token could be presented again. */
  readonly expires_at: Date
}

const selectUsed = defineStatement<{ readonly site: number }>(
  'select site from used_id_tokens where site = $1 and token_hash = $2',
)

export async function isIdTokenUsed(executor: Executor, { site, token_hash }: PresentedIdToken): Promise<boolean> {
  return (await selectUsed(executor, [site, token_hash])).rows.length > 0
}

/** Marks an ID Token as used. Returns true for one caller only, also if several try at the same time. */
export async function insertUsedIdToken(trx: Knex.Transaction, presented: PresentedIdToken): Promise<boolean> {
  const inserted = await trx('used_id_tokens').insert(presented).onConflict().ignore().returning('site')
  return inserted.length === 1
}

export async function deleteExpiredIdTokens(knex: Knex): Promise<void> {
  await knex('used_id_tokens').where('expires_at', '<', knex.fn.now()).delete()
}
