import type { Knex } from 'knex'
import { withoutSecrets } from './secrets.ts'

/** A change as the trail keeps it; secrets in `before` and `after` are masked on the way in. */
export interface NewEntry {
  readonly at: Date
  readonly act: string
  readonly account: string | null
  readonly site_id: string | null
  readonly actor: string
  readonly member_id: string | null
  readonly token_id: string | null
  readonly address: string
  readonly request_id: string
  readonly before: unknown
  readonly after: unknown
}

export interface StoredEntry extends NewEntry {
  readonly entry: number
}

/** Adds an entry; entries are never changed or removed. */
export async function insertEntry(knex: Knex, { before, after, ...entry }: NewEntry): Promise<void> {
  await knex('audit_entries').insert({ ...entry, before: toJson(before), after: toJson(after) })
}

export interface Filter {
  readonly account?: string | undefined
  readonly site_id?: string | undefined
  readonly act?: string | undefined
  readonly actor?: string | undefined
  /** Inclusive. */
  readonly since?: string | undefined
  /** Exclusive. */
  readonly until?: string | undefined
  /** Entries older than this one. */
  readonly before_entry?: number | undefined
}

/** Newest first. */
export async function listEntries(knex: Knex, filter: Filter, limit: number): Promise<StoredEntry[]> {
  const { account, site_id, act, actor, since, until, before_entry } = filter
  const given = Object.entries({ account, site_id, act, actor }).filter(([, value]) => value !== undefined)
  return knex('audit_entries')
    .where(Object.fromEntries(given))
    .modify((query) => {
      if (since !== undefined) query.where('at', '>=', since)
      if (until !== undefined) query.where('at', '<', until)
      if (before_entry !== undefined) query.where('entry', '<', before_entry)
    })
    .orderBy('entry', 'desc')
    .limit(limit)
    .select<StoredEntry[]>()
}

function toJson(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(withoutSecrets(value))
}
