import type { CopyingService } from '#admin-api'
import type { SiteCell } from './cell.ts'

/** A site in one of the two cells of a move. */
export interface SiteInCell {
  readonly cell: SiteCell
  readonly site: number
}

/** The copy from one cell to the other. */
export interface Copy {
  readonly from: SiteInCell
  readonly to: SiteInCell
}

export interface TableProgress {
  /** Where to go on; null: the table was compared to its end. */
  readonly position: string | null
  readonly rows: number
  readonly parts: number
}

interface TablePlace {
  readonly service: CopyingService
  readonly table: string
  readonly position: string
  /** Only ranges of which rows are missing. */
  readonly incomplete: boolean
  readonly publicKey: string
}

/** Compares the next ranges of a table with its copy, and sends the first part that differs. */
export async function copyNextRanges(
  { from, to }: Copy,
  { service, table, position, incomplete, publicKey }: TablePlace,
): Promise<TableProgress> {
  const listing = { site: to.site, table, after: position, incomplete }
  const { ranges } = await to.cell.run(service, 'listCopyRanges', listing)
  const reading = { site: from.site, table, ranges, public_key: publicKey }
  const { equal, part } = await from.cell.run(service, 'readSiteRows', reading)
  if (part === null) return { position: ranges.at(-1)?.upto ?? null, rows: 0, parts: 0 }
  const range = ranges[equal]
  if (range === undefined) throw new Error('The part of a table has no range.')
  const { upto, digest, envelope, rows } = part
  const { after } = range
  const storing = { site: to.site, table, range: { after, upto: range.upto }, upto, digest, envelope }
  await to.cell.run(service, 'storeSiteRows', storing)
  return { position: upto, rows, parts: 1 }
}

/** Sends the work that a frozen site has left: what arrived before is replaced. */
export async function copyQueues(
  { from, to }: Copy,
  service: CopyingService,
  { publicKey, queues }: { readonly publicKey: string; readonly queues: readonly ('jobs' | 'pending_events')[] },
): Promise<void> {
  for (const queue of queues)
    for (let after: string | null = ''; after !== null; ) {
      const reading = { site: from.site, queue, after, public_key: publicKey }
      const batch: { envelope: string; next: string | null } = await from.cell.run(service, 'readSiteQueue', reading)
      const { envelope, next } = batch
      await to.cell.run(service, 'storeSiteQueue', { site: to.site, queue, is_first: after === '', envelope })
      after = next
    }
}
