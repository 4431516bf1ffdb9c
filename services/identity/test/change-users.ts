import type { Knex } from 'knex'
import { countedColumns, insertOfCounts } from '../store/count-changes.ts'

const columns = countedColumns.split(', ')

/** Inserts users without their service, in a statement that counts them if triggers do not. */
export async function insertUsers(knex: Knex, rows: readonly object[]): Promise<void> {
  await knex
    .with('inserted', knex('users').insert(rows).returning(columns))
    .with('counted', knex.raw(insertOfCounts({ after: 'inserted' })))
    .select('site')
    .from('inserted')
}

/** As `insertUsers`, for changes. Locks the users in a fixed order, so that two such statements wait instead of failing. */
export async function updateUsers(
  knex: Knex,
  { site, identifiers }: { readonly site: number; readonly identifiers: readonly string[] },
  changes: object,
): Promise<void> {
  const before = knex('users').where({ site }).whereIn('identifier', identifiers).orderBy('identifier').forUpdate()
  const changed = knex('users')
    .updateFrom('before')
    .where('users.site', site)
    .where('users.identifier', knex.ref('before.identifier'))
    .update(changes)
    .returning(columns.map((column) => `users.${column}`))
  await knex
    .with('before', before.select(...columns, 'identifier'))
    .with('changed', changed)
    .with('counted', knex.raw(insertOfCounts({ after: 'changed', before: 'before' })))
    .select('site')
    .from('changed')
}

/** As `insertUsers`, for deletions. */
export async function deleteUsers(
  knex: Knex,
  { site, identifiers }: { readonly site: number; readonly identifiers: readonly string[] },
): Promise<void> {
  await knex
    .with('deleted', knex('users').where({ site }).whereIn('identifier', identifiers).delete().returning(columns))
    .with('counted', knex.raw(insertOfCounts({ before: 'deleted' })))
    .select('site')
    .from('deleted')
}
