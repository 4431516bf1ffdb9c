import type { Knex } from 'knex'
import { transaction } from './transaction.ts'

/** An arbitrary number, the same in every replica, to which that of the table is added. */
const lockNumber = 7_305_100_000

/** Rows of one statement, which stays well below the statement timeout. Our choice. */
const batchSize = 5_000

/**
 * Deletes rows of all sites in batches, unless another replica deletes from the table at the moment: a distributed table cannot skip
 * rows that others lock.
 *
 * @param key the columns of the primary key
 * @param condition of the rows; its parameters are `values`
 */
export async function sweepRows(
  knex: Knex,
  { table, key, condition }: { readonly table: string; readonly key: readonly string[]; readonly condition: string },
  values: Readonly<Record<string, Knex.Value>> = {},
): Promise<void> {
  const columns = key.join(', ')
  let deleted: number
  do
    deleted = await transaction(knex, async (trx) => {
      const lock = await trx.raw<{ rows: { taken: boolean }[] }>(
        'select pg_try_advisory_xact_lock(:number::bigint + hashtext(:table)) as taken',
        { number: lockNumber, table },
      )
      if (!lock.rows[0]?.taken) return 0
      const { rowCount } = await trx.raw<{ rowCount: number }>(
        `delete from ${table} where (${columns}) in (select ${columns} from ${table} where ${condition} limit :batchSize)`,
        { ...values, batchSize },
      )
      return rowCount
    })
  while (deleted === batchSize)
}
