import type { Knex } from 'knex'

/** Keeps every statement well under the statement timeout. */
const batchSize = 10_000

/** Deletes the rows of a query of a table. */
export async function deleteInBatches(knex: Knex, table: string, outdated: Knex.QueryBuilder): Promise<void> {
  let removed: number
  do {
    const batch = outdated.clone().select(knex.raw('ctid')).limit(batchSize)
    removed = await knex(table).whereRaw('ctid = any(array(?))', [batch]).delete()
  } while (removed === batchSize)
}
