import type { Knex } from 'knex'
import type { SiteDataTable } from '../site-tables.ts'

/** A row as the texts of its columns. Every type of Postgres reads its own text without loss. */
export type TextRow = Readonly<Record<string, string | null>>

export interface CopiedColumn {
  readonly name: string
  readonly type: string
}

/** The columns of a table that are copied, in the order of their names: without the site, and without what Postgres computes. */
export async function listCopiedColumns(knex: Knex, { table, move }: SiteDataTable): Promise<CopiedColumn[]> {
  const { rows } = await knex.raw<{ rows: CopiedColumn[] }>(
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
     where attrelid = ?::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attname <> all(?)
     order by attname`,
    [table, ['site', ...Object.keys(move?.own ?? {})]],
  )
  return rows
}

/** A piece of SQL with its values. */
export interface Fragment {
  readonly sql: string
  readonly values: readonly (string | number | null)[]
}

/** Selects the rows of a site. @param alias of the table */
export function ofSite({ parent }: SiteDataTable, site: number, alias: string): Fragment {
  if (parent === undefined) return { sql: `${alias}.site = ?`, values: [site] }
  const { table, column } = parent
  return { sql: `${alias}.${column} in (select ${column} from ${table} where site = ?)`, values: [site] }
}

/** Rows whose keys are after one key and up to another, which are JSON arrays of texts. */
export interface KeyRange {
  /** Empty: from the first row on. */
  readonly after: string
  /** Null: up to the last row. */
  readonly upto: string | null
}

/** @param alias of the table */
export function inRange(
  { key = [] }: SiteDataTable,
  columns: readonly CopiedColumn[],
  { after, upto }: KeyRange,
  alias: string,
): Fragment {
  const names = key.map((name) => `${alias}.${name}`).join(', ')
  const marks = key.map((name) => `?::${columns.find((column) => column.name === name)?.type}`).join(', ')
  const bounds = [
    ...(after === '' ? [] : [{ operator: '>', bound: after }]),
    ...(upto === null ? [] : [{ operator: '<=', bound: upto }]),
  ]
  return {
    sql: ['true', ...bounds.map(({ operator }) => `(${names}) ${operator} (${marks})`)].join(' and '),
    // `keyOf` wrote them.
    values: bounds.flatMap(({ bound }) => JSON.parse(bound) as string[]),
  }
}

/** The key of a row as a bound of ranges. */
export function keyOf({ key = [] }: SiteDataTable, row: TextRow): string {
  return JSON.stringify(key.map((column) => row[column]))
}
