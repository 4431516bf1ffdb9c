import type { Knex } from 'knex'
import { isDistributed } from './distribution.ts'
import { defineStatement, type Executor } from './statement.ts'

interface RowOfSite {
  readonly site: number
}

/** The rows of one statement each: those of a site if the tables are distributed by site, else all. */
export function splitBySite<T extends RowOfSite>(knex: Knex, rows: readonly T[]): readonly (readonly T[])[] {
  return isDistributed(knex) ? [...Map.groupBy(rows, ({ site }) => site).values()] : [rows]
}

/**
 * Defines a statement about several rows. Rows of one site have a form of their own: a distributed database recognizes the site, and runs
 * the statement on one shard.
 *
 * @param columns their types, by their names, apart from `site`
 * @param textOf the statement. Its parameter is the table of the rows, for a `from`, with the alias `given`
 */
export function defineBatchStatement<R, C extends string>(
  columns: Readonly<Record<C, string>>,
  textOf: (given: string) => string,
): (executor: Executor, rows: readonly (RowOfSite & Readonly<Record<C, unknown>>)[]) => Promise<R[]> {
  // The keys of the record are the type's.
  const names = Object.keys(columns) as C[]
  const list = names.join(', ')
  const parameters = names.map((name, index) => `$${index + 2}::${columns[name]}[]`).join(', ')
  const ofOneSite = defineStatement<R>(
    textOf(`(select $1::integer as site, ${list} from unnest(${parameters}) as of_site (${list})) as given`),
  )
  const ofSites = defineStatement<R>(textOf(`unnest($1::integer[], ${parameters}) as given (site, ${list})`))
  return async (executor, rows) => {
    const [first] = rows
    if (first === undefined) return []
    const values = names.map((name) => rows.map((row) => row[name]))
    const isOfOneSite = rows.every(({ site }) => site === first.site)
    const result = isOfOneSite
      ? await ofOneSite(executor, [first.site, ...values])
      : await ofSites(executor, [rows.map(({ site }) => site), ...values])
    return result.rows
  }
}
