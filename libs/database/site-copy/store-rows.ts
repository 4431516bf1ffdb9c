import type { Knex } from 'knex'
import { passFreeze } from '../site-freeze.ts'
import type { RelatedTable, SiteDataTable } from '../site-tables.ts'
import { type CopiedColumn, inRange, type KeyRange, listCopiedColumns, ofSite, type TextRow } from './columns.ts'
import { type CopiedPart, forgetRangesOf, recordPart } from './ranges.ts'
import { type CopiedSecrets, destroyUnusedKeys } from './secrets.ts'

/** Rows that arrive, for a range of a table. */
export interface ArrivingPart extends CopiedPart {
  readonly rows: readonly TextRow[]
}

/**
 * Makes a range of a frozen site's table equal to the rows that arrive, and records its digest. Rows in the way of a unique value are
 * released; their ranges are copied again. Rows that refer to a row which has not arrived are left out, and the range is copied again.
 */
export async function storePart(
  trx: Knex.Transaction,
  table: SiteDataTable,
  arriving: ArrivingPart,
  secrets: readonly CopiedSecrets[],
): Promise<void> {
  const { site, range, upto, digest } = arriving
  const columns = await listCopiedColumns(trx, table)
  requireColumns(table, columns, arriving.rows)
  await passFreeze(trx)
  const own = secrets.find((one) => one.table === table.table)
  const rows = own === undefined ? arriving.rows : await own.encrypt(trx, site, arriving.rows)
  const stored: StoredRows = { site, rows }
  await releaseUniqueValues(trx, table, columns, stored)
  const removed = await deleteOthers(trx, table, columns, { ...stored, range: { after: range.after, upto } })
  const count = await storeRows(trx, table, columns, stored)
  if (own?.personal !== undefined) {
    const { subject, column } = own.personal
    const emptied = rows.filter((row) => (row[column] ?? null) === null)
    const subjects = [...removed, ...emptied].map((row) => row[subject] ?? '')
    await destroyUnusedKeys(
      trx,
      site,
      subjects,
      secrets.flatMap(({ personal }) => personal ?? []),
    )
  }
  await recordPart(trx, { ...arriving, digest: count < rows.length ? null : digest })
}

/** @throws Error if the cells have different columns */
function requireColumns({ table }: SiteDataTable, columns: readonly CopiedColumn[], rows: readonly TextRow[]): void {
  const [row] = rows
  if (row === undefined) return
  const names = new Set(columns.map(({ name }) => name))
  const other = Object.keys(row).filter((name) => !names.has(name))
  if (other.length > 0 || Object.keys(row).length < names.size)
    throw new Error(`The table ${table} has other columns in the other cell. Run the same release in both.`)
}

interface StoredRows {
  readonly site: number
  readonly rows: readonly TextRow[]
}

/** Deletes the rows of a range that did not arrive. @returns them */
async function deleteOthers(
  trx: Knex.Transaction,
  table: SiteDataTable,
  columns: readonly CopiedColumn[],
  { site, rows, range }: StoredRows & { readonly range: KeyRange },
): Promise<TextRow[]> {
  const [sites, bounds] = [ofSite(table, site, 't'), inRange(table, columns, range, 't')]
  const { rows: removed } = await trx.raw<{ rows: TextRow[] }>(
    `with ${givenRows(columns)} delete from ${table.table} t where ${sites.sql} and ${bounds.sql}
       and not exists (select from given where ${hasSame(table.key ?? [])}) returning t.*`,
    [JSON.stringify(rows), ...sites.values, ...bounds.values],
  )
  return removed
}

/** Updates and inserts rows, without those that refer to a row which has not arrived. @returns how many are stored now */
async function storeRows(
  trx: Knex.Transaction,
  table: SiteDataTable,
  columns: readonly CopiedColumn[],
  { site, rows }: StoredRows,
): Promise<number> {
  const { parent, key = [], move } = table
  const refers = move?.refers
  const conditions = [
    ...(parent === undefined ? [] : [hasRelated(parent, site)]),
    ...(refers === undefined ? [] : [`(given.${refers.column} is null or ${hasRelated(refers, site)})`]),
  ]
  const own = Object.entries(move?.own ?? {}).filter(([, value]) => value !== 'default')
  const names = columns.map(({ name }) => name)
  const into = [...(parent === undefined ? ['site'] : []), ...names, ...own.map(([name]) => name)]
  const values = [
    ...(parent === undefined ? [site] : []),
    ...names.map((name) => `ready.${name}`),
    ...own.map(([, value]) => value),
  ]
  const changed = columns.filter(({ name }) => !key.includes(name))
  // The type json has no operator to compare values.
  const listOf = (alias: string) =>
    changed.map(({ name, type }) => (type === 'json' ? `${alias}.${name}::text` : `${alias}.${name}`)).join(', ')
  const sites = ofSite(table, site, 't')
  const place = findPlace(
    table,
    sites.sql,
    key.map((name) => `t.${name} = given.${name}`),
  )
  const update = `update ${table.table} t set ${changed.map(({ name }) => `${name} = ready.${name}`).join(', ')} from ready
    where t.ctid = ready.place and row(${listOf('t')}) is distinct from row(${listOf('ready')})`
  const { rows: counts } = await trx.raw<{ rows: { count: number }[] }>(
    `with ${givenRows(columns)},
       ready as materialized (select given.*, (${place}) as place from given where ${['true', ...conditions].join(' and ')}),
       updated as (${changed.length === 0 ? 'select' : update}),
       inserted as (insert into ${table.table} (${into}) overriding system value
         select ${values} from ready where place is null)
     select count(*)::integer as count from ready`,
    [JSON.stringify(rows), ...sites.values],
  )
  return counts[0]?.count ?? 0
}

/**
 * The place of the row that has values of a given one. `offset 0`: Postgres looks up each of the given rows by an index. In a new database
 * without statistics, it would read the site again for each.
 */
function findPlace(table: SiteDataTable, isOfSite: string, conditions: readonly string[]): string {
  return `select t.ctid from ${table.table} t where ${[isOfSite, ...conditions].join(' and ')} offset 0`
}

/** Whether the row that a given one refers to is stored. */
function hasRelated({ table, column }: RelatedTable, site: number): string {
  return `exists (select from ${table} p where p.site = ${site} and p.${column} = given.${column} offset 0)`
}

function hasSame(key: readonly string[]): string {
  return ['true', ...key.map((name) => `t.${name} = given.${name}`)].join(' and ')
}

/** The arriving rows as a table `given`, with a parameter of type json. */
function givenRows(columns: readonly CopiedColumn[]): string {
  const values = columns.map(({ name, type }) => `(arrived ->> '${name}')::${type} as ${name}`).join(', ')
  return `given as materialized (select ${values} from json_array_elements(?::json) as arrived)`
}

/** Frees unique values that rows of the site have and that arriving rows have under another key. */
async function releaseUniqueValues(
  trx: Knex.Transaction,
  table: SiteDataTable,
  columns: readonly CopiedColumn[],
  { site, rows }: StoredRows,
): Promise<void> {
  const unique = table.move?.unique
  if (unique === undefined || rows.length === 0) return
  const key = table.key ?? []
  const place = findPlace(
    table,
    't.site = ?',
    unique.columns.map((name) => `t.${name} = given.${name}`),
  )
  const isOther = `t.ctid = taken.place and row(${key.map((name) => `t.${name}`)}) <> row(${key.map((name) => `taken.given_${name}`)})`
  const statement =
    unique.release === 'delete'
      ? `delete from ${table.table} t using taken where ${isOther}`
      : `update ${table.table} t set ${Object.entries(unique.release).map(([name, value]) => `${name} = ${value}`)} from taken where ${isOther}`
  const texts = key.map((name) => `t.${name}::text as ${name}`)
  const { rows: released } = await trx.raw<{ rows: TextRow[] }>(
    `with ${givenRows(columns)},
       taken as materialized (select (${place}) as place, ${key.map((name) => `given.${name} as given_${name}`)} from given)
     ${statement} returning ${texts}`,
    [JSON.stringify(rows), site],
  )
  await forgetRangesOf(trx, table, columns, { site, rows: released })
}
