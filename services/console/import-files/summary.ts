import type { ReadRecord } from './record.ts'
import { isRejected } from './record.ts'

/** What a file leaves out, counted while it is read. */
export interface ReadSummary {
  records: number
  empty_rows: number
  /** Users who are imported without an account of a provider: they cannot log in. */
  without_account: number
  /** Accounts that are omitted, by their names in the file. */
  readonly omitted: Map<string, OmittedCount>
}

export interface OmittedCount {
  readonly because: NonNullable<ReadRecord['omitted']>[number]['because']
  count: number
}

export function createSummary(): ReadSummary {
  return { records: 0, empty_rows: 0, without_account: 0, omitted: new Map() }
}

/** Passes records on, and counts them. */
export async function* countRecords(
  records: AsyncIterable<ReadRecord>,
  summary: ReadSummary,
): AsyncGenerator<ReadRecord> {
  for await (const read of records) {
    summary.records++
    for (const { name, because } of read.omitted ?? []) {
      const counted = summary.omitted.get(name) ?? { because, count: 0 }
      counted.count++
      summary.omitted.set(name, counted)
    }
    if (!isRejected(read.record) && hasNoLink(read.record)) summary.without_account++
    yield read
  }
}

function hasNoLink(record: unknown): boolean {
  const links: unknown = Reflect.get(Object(record), 'links')
  return links === undefined || (Array.isArray(links) && links.length === 0)
}
