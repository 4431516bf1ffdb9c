import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import type { CopiedRange } from '#contracts'
import type { SiteDataTable } from '../site-tables.ts'
import { type CopiedColumn, inRange, type KeyRange, keyOf, listCopiedColumns, ofSite, type TextRow } from './columns.ts'

/** Rows and bytes of a part. A message of the bus has at most 1 MB. Our choice. */
const partRows = 500
const partBytes = 400_000

/** The rows of a range, or of its begin: then `upto` is the last row's key. */
export interface RowPart extends KeyRange {
  readonly digest: string
  readonly columns: readonly string[]
  readonly rows: readonly TextRow[]
}

interface HashedRow {
  readonly texts: readonly (string | null)[]
  readonly hash: string
}

/**
 * Compares ranges of a site's rows with their digests, in the order of the ranges, up to the first that differs.
 *
 * @returns how many are equal, and the rows of the first that differs
 */
export async function readChanges(
  knex: Knex,
  table: SiteDataTable,
  { site, ranges }: { readonly site: number; readonly ranges: readonly CopiedRange[] },
): Promise<{ readonly equal: number; readonly part: RowPart | null }> {
  const columns = await listCopiedColumns(knex, table)
  for (const [place, range] of ranges.entries())
    if (range.digest === null || (await computeDigest(knex, table, columns, { site, range })) !== range.digest)
      return { equal: place, part: await readPart(knex, table, columns, { site, range }) }
  return { equal: ranges.length, part: null }
}

interface RowSelection {
  readonly site: number
  readonly range: KeyRange
}

/** The digest of a range: the SHA-256 of the SHA-256 of each row. */
async function computeDigest(
  knex: Knex,
  table: SiteDataTable,
  columns: readonly CopiedColumn[],
  selection: RowSelection,
): Promise<string> {
  const { sql, values } = selectHashedRows(table, columns, selection)
  const { rows } = await knex.raw<{ rows: { digest: string }[] }>(
    `select encode(sha256(convert_to(coalesce(string_agg(hash, '' order by place), ''), 'UTF8')), 'hex') as digest
     from (select hash, row_number() over () as place from (${sql}) as hashed) as placed`,
    [...values],
  )
  const [row] = rows
  if (row === undefined) throw new Error('The digest of a range returned no row.')
  return row.digest
}

async function readPart(
  knex: Knex,
  table: SiteDataTable,
  columns: readonly CopiedColumn[],
  { site, range }: RowSelection,
): Promise<RowPart> {
  const limit = table.batch ?? partRows
  const { sql, values } = selectHashedRows(table, columns, { site, range })
  const { rows } = await knex.raw<{ rows: HashedRow[] }>(`${sql} limit ?`, [...values, limit + 1])
  const names = columns.map(({ name }) => name)
  let bytes = 0
  const sizes = rows.map(({ texts }) => {
    bytes += texts.reduce((sum, text) => sum + (text?.length ?? 0), 0)
    return bytes
  })
  const count = Math.max(1, Math.min(limit, sizes.filter((size) => size <= partBytes).length))
  const part = rows.slice(0, count)
  const texts = part.map(
    (row): TextRow => Object.fromEntries(names.map((name, place) => [name, row.texts[place] ?? null])),
  )
  const last = texts.at(-1)
  return {
    after: range.after,
    upto: rows.length > count && last !== undefined ? keyOf(table, last) : range.upto,
    digest: createHash('sha256')
      .update(part.map(({ hash }) => hash).join(''))
      .digest('hex'),
    columns: names,
    rows: texts,
  }
}

/** In the order of the key. */
function selectHashedRows(table: SiteDataTable, columns: readonly CopiedColumn[], { site, range }: RowSelection) {
  const texts = `array[${columns.map(({ name }) => `t.${name}::text`).join(', ')}]::text[]`
  const [sites, bounds] = [ofSite(table, site, 't'), inRange(table, columns, range, 't')]
  const order = (table.key ?? []).map((name) => `t.${name}`).join(', ')
  return {
    sql: `select ${texts} as texts, encode(sha256(convert_to((${texts})::text, 'UTF8')), 'hex') as hash
      from ${table.table} t where ${sites.sql} and ${bounds.sql} ${order === '' ? '' : `order by ${order}`}`,
    values: [...sites.values, ...bounds.values],
  }
}
