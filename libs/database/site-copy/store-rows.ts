import type { Knex } from 'knex'
import { passFreeze } from '../site-freeze.ts'
import type { SiteDataTable } from '../site-tables.ts'
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
  const statements = createStatements(table, columns, { site, rows })
  await releaseUniqueValues(trx, table, columns, { site, rows })
  const removed = await statements.deleteOthers(trx, { after: range.after, upto })
  await statements.update(trx)
  const left = await statements.insert(trx)
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
  await recordPart(trx, { ...arriving, digest: left < rows.length ? null : digest })
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

function createStatements(table: SiteDataTable, columns: readonly CopiedColumn[], { site, rows }: StoredRows) {
  const { parent, key = [], move } = table
  const given = arrivingRows(columns)
  const json = JSON.stringify(rows)
  const isSame = ['true', ...key.map((name) => `t.${name} = given.${name}`)].join(' and ')
  const sites = ofSite(table, site, 't')
  const changed = columns.filter(({ name }) => !key.includes(name))
  // The type json has no operator to compare values.
  const listOf = (alias: string) =>
    changed.map(({ name, type }) => (type === 'json' ? `${alias}.${name}::text` : `${alias}.${name}`)).join(', ')
  const names = columns.map(({ name }) => name)
  const refers = move?.refers
  const hasReferred =
    refers === undefined
      ? 'true'
      : `(given.${refers.column} is null or exists
           (select from ${refers.table} p where p.site = ${site} and p.${refers.column} = given.${refers.column}))`
  return {
    async deleteOthers(trx: Knex.Transaction, range: KeyRange): Promise<TextRow[]> {
      const bounds = inRange(table, columns, range, 't')
      const { rows: removed } = await trx.raw<{ rows: TextRow[] }>(
        `delete from ${table.table} t where ${sites.sql} and ${bounds.sql}
           and not exists (select from ${given} where ${isSame}) returning t.*`,
        [...sites.values, ...bounds.values, json],
      )
      return removed
    },
    async update(trx: Knex.Transaction): Promise<void> {
      if (changed.length === 0) return
      const sets = changed.map(({ name }) => `${name} = given.${name}`).join(', ')
      await trx.raw(
        `update ${table.table} t set ${sets} from ${given}
         where ${sites.sql} and ${isSame} and row(${listOf('t')}) is distinct from row(${listOf('given')}) and ${hasReferred}`,
        [json, ...sites.values],
      )
    },
    /** @returns how many of the rows are stored now */
    async insert(trx: Knex.Transaction): Promise<number> {
      const own = Object.entries(move?.own ?? {}).filter(([, value]) => value !== 'default')
      const into = [...(parent === undefined ? ['site'] : []), ...names, ...own.map(([name]) => name)]
      const values = [
        ...(parent === undefined ? [site] : []),
        ...names.map((name) => `given.${name}`),
        ...own.map(([, value]) => value),
      ]
      const hasParent =
        parent === undefined
          ? 'true'
          : `exists (select from ${parent.table} p where p.site = ${site} and p.${parent.column} = given.${parent.column})`
      await trx.raw(
        `insert into ${table.table} (${into}) overriding system value select ${values} from ${given}
         where not exists (select from ${table.table} t where ${sites.sql} and ${isSame}) and ${hasReferred} and ${hasParent}`,
        [json, ...sites.values],
      )
      const { rows: counts } = await trx.raw<{ rows: { count: number }[] }>(
        `select count(*)::integer as count from ${given} join ${table.table} t on ${sites.sql} and ${isSame} where ${hasReferred}`,
        [json, ...sites.values],
      )
      return counts[0]?.count ?? 0
    },
  }
}

/** The arriving rows as a table `given`, with a parameter of type json. */
function arrivingRows(columns: readonly CopiedColumn[]): string {
  const values = columns.map(({ name, type }) => `(arrived ->> '${name}')::${type} as ${name}`).join(', ')
  return `(select ${values} from json_array_elements(?::json) as arrived) as given`
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
  const hasSame = unique.columns.map((name) => `t.${name} = given.${name}`).join(' and ')
  const isOther = `row(${key.map((name) => `t.${name}`)}) <> row(${key.map((name) => `given.${name}`)})`
  const condition = `t.site = ? and exists (select from ${arrivingRows(columns)} where ${hasSame} and ${isOther})`
  const statement =
    unique.release === 'delete'
      ? `delete from ${table.table} t where ${condition}`
      : `update ${table.table} t set ${Object.entries(unique.release).map(([name, value]) => `${name} = ${value}`)} where ${condition}`
  const texts = key.map((name) => `t.${name}::text as ${name}`)
  const { rows: released } = await trx.raw<{ rows: TextRow[] }>(`${statement} returning ${texts}`, [
    site,
    JSON.stringify(rows),
  ])
  await forgetRangesOf(trx, table, columns, { site, rows: released })
}
