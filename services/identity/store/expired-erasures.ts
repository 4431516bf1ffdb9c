import type { Knex } from 'knex'
import { limits } from '#contracts'
import { sweepRows } from '#database'

/** Deletes receipts of all sites that are older than they are kept. */
export async function deleteExpiredErasures(knex: Knex): Promise<void> {
  const key = ['site', 'identifier', 'deleted_at']
  const condition = 'deleted_at < now() - make_interval(days => :days)'
  const days = limits.erasure_receipt_days
  await sweepRows(knex, { table: 'erasure_parts', key: [...key, 'service'], condition }, { days })
  await sweepRows(knex, { table: 'erasures', key, condition }, { days })
}
