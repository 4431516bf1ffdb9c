import type { Knex } from 'knex'
import { type CopiedRange, Fault } from '#contracts'
import type { SiteDataTable } from '../site-tables.ts'
import { type CopiedColumn, type KeyRange, keyOf, type TextRow } from './columns.ts'

/** The begin of the first range of a table. */
const start = ''

interface RangePlace {
  readonly site: number
  readonly table: string
  readonly after: string
  readonly limit: number
}

/** The next ranges of a table in the order of their keys. Together they contain every key; before the first copy there is one. */
export async function listRanges(knex: Knex, { site, table, after, limit }: RangePlace): Promise<CopiedRange[]> {
  const { rows } = await knex.raw<{ rows: CopiedRange[] }>(
    `with recursive chain as (
       select after, upto, digest, 1 as place from site_copy_ranges
       where site = :site and table_name = :table and after = :after
       union all
       select r.after, r.upto, r.digest, place + 1 from chain join site_copy_ranges r
         on r.site = :site and r.table_name = :table and r.after = chain.upto
       where place < :limit
     )
     select after, upto, digest from chain order by place`,
    { site, table, after, limit },
  )
  return rows.length === 0 && after === start ? [{ after: start, upto: null, digest: null }] : rows
}

/** The next ranges of a table of which rows have to be copied, in an order of their own. */
export async function listIncompleteRanges(
  knex: Knex,
  { site, table, after, limit }: RangePlace,
): Promise<CopiedRange[]> {
  return knex('site_copy_ranges')
    .where({ site, table_name: table, digest: null })
    .where('after', '>=', after)
    .orderBy('after')
    .limit(limit)
    .select('after', 'upto', 'digest')
}

/** What was copied of a range: all of it, or up to a key. */
export interface CopiedPart {
  readonly site: number
  readonly table: string
  /** The range as it was listed. */
  readonly range: KeyRange
  readonly upto: string | null
  /** Null: it has to be copied again. */
  readonly digest: string | null
}

/**
 * Records what was copied; the rest of the range has to be copied.
 *
 * @throws Fault `changed_meanwhile` if another copy has recorded the range in the meantime
 */
export async function recordPart(
  trx: Knex.Transaction,
  { site, table, range, upto, digest }: CopiedPart,
): Promise<void> {
  const key = { site, table_name: table, after: range.after }
  const stored: { upto: string | null } | undefined = await trx('site_copy_ranges').where(key).first('upto')
  const isListed = stored === undefined ? range.after === start && range.upto === null : stored.upto === range.upto
  if (!isListed) throw new Fault('changed_meanwhile')
  await trx('site_copy_ranges')
    .insert({ ...key, upto, digest })
    .onConflict(['site', 'table_name', 'after'])
    .merge()
  if (upto !== range.upto)
    await trx('site_copy_ranges').insert({ site, table_name: table, after: upto, upto: range.upto, digest: null })
}

/** Forgets the digests of the ranges that contain rows, so that these ranges are copied again. */
export async function forgetRangesOf(
  trx: Knex.Transaction,
  { table, key = [] }: SiteDataTable,
  columns: readonly CopiedColumn[],
  { site, rows }: { readonly site: number; readonly rows: readonly TextRow[] },
): Promise<void> {
  const types = key.map((name) => columns.find((column) => column.name === name)?.type)
  const collations = types.map((type) => (type === 'text' ? ' collate "C"' : ''))
  const bound = (name: string) =>
    types.map((type, place) => `(${name}::json ->> ${place})::${type}${collations[place]}`)
  for (const row of rows) {
    const values = types.map((type, place) => `(:key::json ->> ${place})::${type}${collations[place]}`)
    await trx.raw(
      `update site_copy_ranges set digest = null where site = :site and table_name = :table
         and case when after = '' then true else (${values}) > (${bound('after')}) end
         and case when upto is null then true else (${values}) <= (${bound('upto')}) end`,
      { site, table, key: keyOf({ table, key }, row) },
    )
  }
}
