import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import type { SiteDataTable } from '../site-tables.ts'
import { type CopiedColumn, inRange, type KeyRange, ofSite } from './columns.ts'

/** When rows are read. */
export interface Moment {
  /** The process of Postgres and the columns of the table: transactions of another process can have the same numbers. */
  readonly epoch: string
  /** Every transaction before this one has ended. */
  readonly xid: string
}

/** The version of each row of a range at a moment: later, they prove that no row has changed, without reading its values. */
export interface RowVersions extends Moment {
  readonly rows: number
}

/** A digest of rows, with their versions. Only the cell that computed it reads it. */
export interface Digest {
  readonly hash: string
  readonly versions: RowVersions
}

export function formatDigest({ hash, versions: { epoch, xid, rows } }: Digest): string {
  return `${hash} ${epoch} ${xid} ${rows}`
}

/** @returns undefined if there is none, or if it is not a digest of this release */
export function parseDigest(digest: string | null): Digest | undefined {
  const [hash = '', epoch = '', xid = '', rows] = digest?.split(' ') ?? []
  return rows === undefined ? undefined : { hash, versions: { epoch, xid, rows: Number(rows) } }
}

export async function readMoment(
  knex: Knex,
  { table }: SiteDataTable,
  columns: readonly CopiedColumn[],
): Promise<Moment> {
  const { rows } = await knex.raw<{ rows: { started: string; xid: string }[] }>(
    `select extract(epoch from pg_postmaster_start_time())::text as started,
       pg_snapshot_xmin(pg_current_snapshot())::text as xid`,
  )
  const [row] = rows
  if (row === undefined) throw new Error('The moment of a copy returned no row.')
  const epoch = createHash('sha256')
    .update(JSON.stringify([row.started, table, columns]))
    .digest('base64url')
  return { epoch: epoch.slice(0, 16), xid: row.xid }
}

/** Transaction numbers in rows have 32 bits. Older ones are not compared. */
const mostTransactions = 2n ** 30n

/**
 * Whether a range has exactly the row versions that it had. A version that is visible now, and whose transaction had ended then, was visible
 * then: so if there is no newer one, and as many as then, none was added or deleted. An update creates a version.
 */
export async function hasSameRowVersions(
  knex: Knex,
  table: SiteDataTable,
  columns: readonly CopiedColumn[],
  {
    site,
    range,
    versions: { xid, rows: before },
  }: { readonly site: number; readonly range: KeyRange; readonly versions: RowVersions },
): Promise<boolean> {
  const [sites, bounds] = [ofSite(table, site, 't'), inRange(table, columns, range, 't')]
  const { rows } = await knex.raw<{ rows: { count: number; newer: number; next: string }[] }>(
    `select count(*)::integer as count, count(*) filter (where age(t.xmin) <= age(?::xid))::integer as newer,
       pg_snapshot_xmax(pg_current_snapshot())::text as next
     from ${table.table} t where ${sites.sql} and ${bounds.sql}`,
    [String(BigInt.asUintN(32, BigInt(xid))), ...sites.values, ...bounds.values],
  )
  const [row] = rows
  if (row === undefined) throw new Error('The versions of a range returned no row.')
  return row.count === before && row.newer === 0 && BigInt(row.next) - BigInt(xid) < mostTransactions
}

/** The versions of neighboring ranges together; undefined if they have not all been read in this epoch. */
export function combineVersions(digests: readonly (Digest | undefined)[], epoch: string): RowVersions | undefined {
  const versions = digests.flatMap((digest) => (digest?.versions.epoch === epoch ? digest.versions : []))
  const [first] = versions
  if (first === undefined || versions.length < digests.length) return undefined
  return {
    epoch,
    xid: versions.map(({ xid }) => xid).reduce((least, xid) => (BigInt(xid) < BigInt(least) ? xid : least)),
    rows: versions.reduce((sum, { rows }) => sum + rows, 0),
  }
}
