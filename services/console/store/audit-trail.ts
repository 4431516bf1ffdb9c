import type { Knex } from 'knex'
import type { ActorKind, AdminFaultName, auditOutcomes } from '#admin-api'
import { maskSecrets } from '../domain/mask-secrets.ts'

/** The data before and after a change; secrets are masked when the entry is stored. */
export interface RecordedChange {
  readonly before: unknown
  readonly after: unknown
}

/** A change, its actor and origin. */
export interface NewEntry extends RecordedChange {
  readonly at: Date
  readonly action: string
  readonly account: string | null
  readonly site_id: string | null
  readonly actor: string
  readonly member_id: string | null
  readonly token_id: string | null
  /** Null: of an end user. */
  readonly address: string | null
  readonly request_id: string
}

/** Outcome of a change: succeeded, with the changed data, or rejected, with nothing changed. */
export type EntryOutcome = { readonly at: Date } & (
  | ({ readonly outcome: 'succeeded' } & RecordedChange)
  | { readonly outcome: 'rejected'; readonly fault: AdminFaultName }
)

export interface StoredEntry extends NewEntry {
  readonly actor_kind: ActorKind
  readonly entry: number
  readonly outcome: (typeof auditOutcomes)[number]
  readonly fault: AdminFaultName | null
}

/** Adds a complete entry, for a change in the same transaction or before it. Entries are never changed or removed. */
export async function insertEntry(knex: Knex, entry: NewEntry): Promise<void> {
  await knex('audit_entries').insert(toRow(entry))
}

/** Adds an action of an end user, unless an entry has its `action_id`. */
export async function insertEndUserEntry(knex: Knex, entry: NewEntry & { readonly action_id: string }): Promise<void> {
  await knex('audit_entries')
    .insert(toRow(entry))
    .onConflict(knex.raw('(action_id) where action_id is not null'))
    .ignore()
}

/**
 * Adds an entry for a change that is about to start, with the input as its data.
 *
 * @returns its number, for `insertOutcome`
 */
export async function insertPendingEntry(knex: Knex, entry: NewEntry): Promise<number> {
  const [row] = await knex('audit_entries')
    .insert({ ...toRow(entry), outcome_known: false })
    .returning<{ entry: number }[]>('entry')
  if (row === undefined) throw new Error('An inserted row is returned.')
  return row.entry
}

/** Adds the outcome of a pending entry. Only the first outcome is stored. */
export async function insertOutcome(knex: Knex, entry: number, result: EntryOutcome): Promise<void> {
  const row = result.outcome === 'succeeded' ? toRow(result) : result
  await knex('audit_outcomes')
    .insert({ ...row, entry })
    .onConflict('entry')
    .ignore()
}

/** Counts the entries of some actions, not of end users, in an account since a time, whatever their outcome. */
export async function countEntries(
  knex: Knex,
  { account, actions, since }: { readonly account: string; readonly actions: readonly string[]; readonly since: Date },
): Promise<number> {
  const row = await knex('audit_entries')
    .where({ account, action_id: null })
    .whereIn('action', actions)
    .where('at', '>=', since)
    .count<{ count: string | number }>({ count: '*' })
    .first()
  return Number(row?.count ?? 0)
}

export interface AuditFilter {
  readonly account?: string | undefined
  readonly site_id?: string | undefined
  /** Only entries of these sites. */
  readonly sites?: readonly string[] | undefined
  readonly action?: string | undefined
  readonly actor?: string | undefined
  readonly actor_kind?: ActorKind | undefined
  /** Entries about this user of a site. */
  readonly identifier?: string | undefined
  readonly outcome?: StoredEntry['outcome'] | undefined
  /** Inclusive. */
  readonly since?: string | undefined
  /** Exclusive. */
  readonly until?: string | undefined
  /** Entries older than this one. */
  readonly beforeEntry?: number | undefined
}

const outcomeOfEntry = `case when e.outcome_known then 'succeeded' else coalesce(x.outcome, 'unknown') end`
const kindOfActor = `case when e.action_id is not null then 'end_user' when e.token_id is not null then 'token'
  when e.member_id is not null then 'member' else 'system' end`
const entryColumns = ['entry', 'at', 'action', 'account', 'site_id', 'actor', 'member_id', 'token_id', 'address']

/** The user that an entry is about, as in the index of migration 0011. */
const userOfEntry = `coalesce(e.after ->> 'identifier', e.before ->> 'identifier')`

/** The columns of an entry `e` with its outcome `x`. */
export function selectEntryColumns(knex: Knex): (string | Knex.Raw)[] {
  return [
    ...entryColumns.map((column) => `e.${column}`),
    'e.request_id',
    'x.fault',
    knex.raw(`${kindOfActor} as actor_kind`),
    knex.raw(`${outcomeOfEntry} as outcome`),
    // Without a successful outcome, the entry shows the input.
    knex.raw(`case when x.outcome = 'succeeded' then x.before else e.before end as before`),
    knex.raw(`case when x.outcome = 'succeeded' then x.after else e.after end as after`),
  ]
}

/** Newest first. */
export async function listEntries(knex: Knex, filter: AuditFilter, limit: number): Promise<StoredEntry[]> {
  const { account, site_id, sites, action, actor, actor_kind, identifier, outcome, since, until, beforeEntry } = filter
  const named = Object.entries({ account, site_id, action, actor }).filter(([, value]) => value !== undefined)
  return knex('audit_entries as e')
    .leftJoin('audit_outcomes as x', 'x.entry', 'e.entry')
    .where(Object.fromEntries(named.map(([column, value]) => [`e.${column}`, value])))
    .modify((query) => {
      if (sites !== undefined) query.whereIn('e.site_id', [...sites])
      if (identifier !== undefined) query.whereRaw(`${userOfEntry} = ?`, [identifier])
      if (actor_kind !== undefined) {
        // As in the index of migration 0014.
        if (actor_kind !== 'end_user') query.whereNull('e.action_id')
        query.whereRaw(`${kindOfActor} = ?`, [actor_kind])
      }
      if (outcome !== undefined) query.whereRaw(`${outcomeOfEntry} = ?`, [outcome])
      if (since !== undefined) query.where('e.at', '>=', since)
      if (until !== undefined) query.where('e.at', '<', until)
      if (beforeEntry !== undefined) query.where('e.entry', '<', beforeEntry)
    })
    .orderBy('e.entry', 'desc')
    .limit(limit)
    .select<StoredEntry[]>(...selectEntryColumns(knex))
}

/** Converts to columns, with secrets masked. */
function toRow<T extends RecordedChange>({ before, after, ...whole }: T) {
  return { ...whole, before: toJson(before), after: toJson(after) }
}

function toJson(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(maskSecrets(value))
}
