import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import type { CopiedRange } from '#contracts'
import type { SiteDataTable } from '../site-tables.ts'
import { type CopiedColumn, inRange, type KeyRange, keyOf, listCopiedColumns, ofSite, type TextRow } from './columns.ts'
import {
  combineVersions,
  type Digest,
  formatDigest,
  hasSameRowVersions,
  type Moment,
  parseDigest,
  readMoment,
} from './row-versions.ts'

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
  // Before the rows: a change between the two is compared once more.
  const moment = await readMoment(knex, table, columns)
  const compared = ranges.map((range) => ({ range, digest: parseDigest(range.digest) }))
  const equal = await countEqual(knex, table, columns, { site, epoch: moment.epoch, ranges: compared })
  const range = ranges[equal]
  if (range === undefined) return { equal, part: null }
  return { equal, part: await readPart(knex, table, columns, { site, range, moment }) }
}

interface RowSelection {
  readonly site: number
  readonly range: KeyRange
}

interface ComparedRanges {
  readonly site: number
  readonly epoch: string
  /** Neighbors, in their order. */
  readonly ranges: readonly { readonly range: KeyRange; readonly digest: Digest | undefined }[]
}

/** How many ranges are equal before the first that differs. Values are read only of a range in which a row has another version. */
async function countEqual(
  knex: Knex,
  table: SiteDataTable,
  columns: readonly CopiedColumn[],
  { site, epoch, ranges }: ComparedRanges,
): Promise<number> {
  const [first, last] = [ranges[0], ranges.at(-1)]
  // Nothing was copied of a range without a digest, and what is behind it is compared later.
  if (first === undefined || last === undefined || first.digest === undefined) return 0
  const versions = combineVersions(
    ranges.map(({ digest }) => digest),
    epoch,
  )
  const range = { after: first.range.after, upto: last.range.upto }
  if (versions !== undefined && (await hasSameRowVersions(knex, table, columns, { site, range, versions })))
    return ranges.length
  if (ranges.length === 1)
    return (await computeHash(knex, table, columns, { site, range })) === first.digest.hash ? 1 : 0
  const half = Math.floor(ranges.length / 2)
  const equal = await countEqual(knex, table, columns, { site, epoch, ranges: ranges.slice(0, half) })
  if (equal < half) return equal
  return half + (await countEqual(knex, table, columns, { site, epoch, ranges: ranges.slice(half) }))
}

/** The SHA-256 of the SHA-256 of each row of a range. */
async function computeHash(
  knex: Knex,
  table: SiteDataTable,
  columns: readonly CopiedColumn[],
  selection: RowSelection,
): Promise<string> {
  const { sql, values } = selectHashedRows(table, columns, selection)
  const { rows } = await knex.raw<{ rows: { hash: string }[] }>(
    `select encode(sha256(convert_to(coalesce(string_agg(hash, '' order by place), ''), 'UTF8')), 'hex') as hash
     from (select hash, row_number() over () as place from (${sql}) as hashed) as placed`,
    [...values],
  )
  const [row] = rows
  if (row === undefined) throw new Error('The digest of a range returned no row.')
  return row.hash
}

async function readPart(
  knex: Knex,
  table: SiteDataTable,
  columns: readonly CopiedColumn[],
  { site, range, moment }: RowSelection & { readonly moment: Moment },
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
  const hash = createHash('sha256').update(part.map((row) => row.hash).join(''))
  return {
    after: range.after,
    upto: rows.length > count && last !== undefined ? keyOf(table, last) : range.upto,
    digest: formatDigest({ hash: hash.digest('hex'), versions: { ...moment, rows: part.length } }),
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
