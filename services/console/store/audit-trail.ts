import type { Knex } from 'knex'
import type { AdminFaultName, auditOutcomes } from '#admin-api'
import { withoutSecrets } from '../domain/secrets.ts'

/** What a change changed; secrets are masked on the way into the trail. */
export interface Told {
  readonly before: unknown
  readonly after: unknown
}

/** A change, who makes it and from where. */
export interface NewEntry extends Told {
  readonly at: Date
  readonly act: string
  readonly account: string | null
  readonly site_id: string | null
  readonly actor: string
  readonly member_id: string | null
  readonly token_id: string | null
  readonly address: string
  readonly request_id: string
}

/** How a change ended: done, with what it changed, or refused, with nothing changed. */
export type End = { readonly at: Date } & (
  | ({ readonly outcome: 'done' } & Told)
  | { readonly outcome: 'refused'; readonly fault: AdminFaultName }
)

export interface StoredEntry extends NewEntry {
  readonly entry: number
  readonly outcome: (typeof auditOutcomes)[number]
  readonly fault: AdminFaultName | null
}

/** Adds an entry that tells all at once: of something done in the same transaction, or before it. Entries are never changed or removed. */
export async function insertEntry(knex: Knex, entry: NewEntry): Promise<void> {
  await knex('audit_entries').insert(rowOf(entry))
}

/**
 * Adds an entry of a change that is about to begin, with what was asked for in the place of what it changes.
 *
 * @returns its number, under which its end is added
 */
export async function beginEntry(knex: Knex, entry: NewEntry): Promise<number> {
  const [row] = await knex('audit_entries')
    .insert({ ...rowOf(entry), at_once: false })
    .returning<{ entry: number }[]>('entry')
  if (row === undefined) throw new Error('An inserted row is returned.')
  return row.entry
}

/** Adds how a begun entry ended; of several ends the first stays. */
export async function endEntry(knex: Knex, entry: number, end: End): Promise<void> {
  const row = end.outcome === 'done' ? rowOf(end) : end
  await knex('audit_ends')
    .insert({ ...row, entry })
    .onConflict('entry')
    .ignore()
}

export interface Filter {
  readonly account?: string | undefined
  readonly site_id?: string | undefined
  readonly act?: string | undefined
  readonly actor?: string | undefined
  readonly outcome?: StoredEntry['outcome'] | undefined
  /** Inclusive. */
  readonly since?: string | undefined
  /** Exclusive. */
  readonly until?: string | undefined
  /** Entries older than this one. */
  readonly beforeEntry?: number | undefined
}

const outcomeOfEntry = `case when e.at_once then 'done' else coalesce(x.outcome, 'not_recorded') end`

/** Newest first. */
export async function listEntries(knex: Knex, filter: Filter, limit: number): Promise<StoredEntry[]> {
  const { account, site_id, act, actor, outcome, since, until, beforeEntry } = filter
  const named = Object.entries({ account, site_id, act, actor }).filter(([, value]) => value !== undefined)
  const entries = ['entry', 'at', 'act', 'account', 'site_id', 'actor', 'member_id', 'token_id', 'address']
  return knex('audit_entries as e')
    .leftJoin('audit_ends as x', 'x.entry', 'e.entry')
    .where(Object.fromEntries(named.map(([column, value]) => [`e.${column}`, value])))
    .modify((query) => {
      if (outcome !== undefined) query.whereRaw(`${outcomeOfEntry} = ?`, [outcome])
      if (since !== undefined) query.where('e.at', '>=', since)
      if (until !== undefined) query.where('e.at', '<', until)
      if (beforeEntry !== undefined) query.where('e.entry', '<', beforeEntry)
    })
    .orderBy('e.entry', 'desc')
    .limit(limit)
    .select<StoredEntry[]>(
      ...entries.map((column) => `e.${column}`),
      'e.request_id',
      'x.fault',
      knex.raw(`${outcomeOfEntry} as outcome`),
      // What was asked for stays where it is not known what was changed.
      knex.raw(`case when x.outcome = 'done' then x.before else e.before end as before`),
      knex.raw(`case when x.outcome = 'done' then x.after else e.after end as after`),
    )
}

/** As columns, JSON without secrets. */
function rowOf<T extends Told>({ before, after, ...whole }: T) {
  return { ...whole, before: toJson(before), after: toJson(after) }
}

function toJson(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(withoutSecrets(value))
}
