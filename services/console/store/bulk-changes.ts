import type { Knex } from 'knex'
import type { BulkChange, BulkFailure, SiteReference } from '#admin-api'
import { limits, type MetadataPart, type UserConditions } from '#contracts'
import type { BulkPosition } from '../domain/user-position.ts'

/** What an action needs besides the users. */
export interface BulkParameters {
  readonly reason?: string | null
  readonly until?: string | null
  readonly user_metadata?: MetadataPart | undefined
  readonly app_metadata?: MetadataPart | undefined
}

type BulkCounts = Pick<BulkChange, 'found' | 'changed' | 'unchanged' | 'failed'>

export interface StoredBulkChange
  extends Pick<BulkChange, 'change_id' | 'action' | 'selected' | 'unlinked_provider' | 'state' | 'requested_by'>,
    BulkCounts,
    SiteReference {
  readonly site: number
  readonly filter: UserConditions
  readonly identifiers: readonly string[] | null
  readonly parameters: BulkParameters
  readonly position: BulkPosition | null
  readonly step: readonly string[] | null
  readonly step_number: number
  /** No users follow those of the step. */
  readonly all_found: boolean
  readonly requested_at: Date
  readonly starts_at: Date
  readonly next_step_at: Date | null
  readonly ended_at: Date | null
}

type NewBulkChange = Pick<
  StoredBulkChange,
  | 'change_id'
  | 'site'
  | 'account'
  | 'site_id'
  | 'action'
  | 'filter'
  | 'identifiers'
  | 'selected'
  | 'unlinked_provider'
  | 'parameters'
  | 'requested_by'
  | 'requested_at'
  | 'starts_at'
>

/** Stores a change. @returns undefined if the site has too many that have not ended */
export async function insertBulkChange(
  trx: Knex.Transaction,
  change: NewBulkChange,
): Promise<StoredBulkChange | undefined> {
  const { site, starts_at } = change
  // Requests of the same site wait, so that they count each other.
  await trx.raw('select pg_advisory_xact_lock(hashtext(?), ?)', ['bulk_changes', site])
  const [open] = await trx('bulk_changes').where({ site, ended_at: null }).count<{ count: number }[]>()
  if (Number(open?.count) >= limits.bulk_open_changes) return undefined
  const [row] = await trx('bulk_changes')
    .insert({
      ...change,
      filter: JSON.stringify(change.filter),
      identifiers: toJson(change.identifiers),
      parameters: JSON.stringify(change.parameters),
      state: 'scheduled',
      next_step_at: starts_at,
    })
    .returning<StoredBulkChange[]>('*')
  return row
}

/** Newest first. */
export async function listStoredBulkChanges(knex: Knex, site: number): Promise<StoredBulkChange[]> {
  return knex('bulk_changes').where({ site }).orderBy('requested_at', 'desc').select<StoredBulkChange[]>('*')
}

export async function findBulkChange(
  knex: Knex,
  name: { readonly site: number; readonly change_id: string },
): Promise<StoredBulkChange | undefined> {
  return knex('bulk_changes').where(name).first<StoredBulkChange | undefined>('*')
}

export async function listBulkFailures(knex: Knex, changeId: string): Promise<BulkFailure[]> {
  return knex('bulk_change_failures')
    .where({ change_id: changeId })
    .orderBy('number')
    .limit(limits.bulk_stored_failures)
    .select('identifier', 'reason')
}

/** The change whose next step is due for the longest time. */
export async function findDueBulkChange(knex: Knex, now: Date): Promise<StoredBulkChange | undefined> {
  return knex('bulk_changes')
    .where('next_step_at', '<=', now)
    .orderBy('next_step_at')
    .first<StoredBulkChange | undefined>('*')
}

/** Stores which users the next step has, unless the change was canceled or another replica stored it. */
export async function startBulkStep(
  knex: Knex,
  { change_id, step_number }: StoredBulkChange,
  { step, position, identifiers, all_found }: Pick<StoredBulkChange, 'step' | 'position' | 'identifiers' | 'all_found'>,
): Promise<void> {
  await knex('bulk_changes')
    .where({ change_id, step_number, step: null })
    .whereIn('state', ['scheduled', 'running'])
    .update({
      state: 'running',
      step: toJson(step),
      position: toJson(position),
      identifiers: toJson(identifiers),
      all_found,
      found: knex.raw('found + ?', [step?.length ?? 0]),
    })
}

/** Stores what became of the users of a step, once. */
export async function endBulkStep(
  trx: Knex.Transaction,
  { change_id, step_number }: StoredBulkChange,
  {
    changed,
    unchanged,
    failures,
  }: { readonly changed: number; readonly unchanged: number; readonly failures: readonly BulkFailure[] },
  nextStepAt: Date,
): Promise<void> {
  const failed = failures.length
  const [row] = await trx('bulk_changes')
    .where({ change_id, step_number })
    .update({
      step: null,
      step_number: step_number + 1,
      changed: trx.raw('changed + ?', [changed]),
      unchanged: trx.raw('unchanged + ?', [unchanged]),
      failed: trx.raw('failed + ?', [failed]),
      // The last step of a canceled change.
      parameters: trx.raw("case when state = 'running' then parameters else '{}' end"),
      next_step_at: trx.raw("case when state = 'running' then ?::timestamptz end", [nextStepAt]),
    })
    .returning<Pick<StoredBulkChange, 'failed'>[]>('failed')
  if (row === undefined) return
  const room = limits.bulk_stored_failures - (row.failed - failed)
  const rows = failures.slice(0, Math.max(0, room)).map((failure) => ({ change_id, ...failure }))
  if (rows.length > 0) await trx('bulk_change_failures').insert(rows)
}

/** Plans the next attempt of a step that failed. */
export async function postponeBulkChange(knex: Knex, changeId: string, nextStepAt: Date): Promise<void> {
  await knex('bulk_changes')
    .where({ change_id: changeId })
    .whereNotNull('next_step_at')
    .update({ next_step_at: nextStepAt })
}

/** Ends a change. A step in progress is completed. @returns the change; undefined if it has ended already */
export async function endBulkChange(
  trx: Knex.Transaction,
  { site, change_id }: Pick<StoredBulkChange, 'site' | 'change_id'>,
  state: 'done' | 'canceled',
  now: Date,
): Promise<StoredBulkChange | undefined> {
  const [row] = await trx('bulk_changes')
    .where({ site, change_id })
    .whereIn('state', ['scheduled', 'running'])
    .update({
      state,
      ended_at: now,
      identifiers: null,
      // A step in progress still needs them.
      parameters: trx.raw("case when step is null then '{}' else parameters end"),
      next_step_at: trx.raw('case when step is not null then next_step_at end'),
    })
    .returning<StoredBulkChange[]>('*')
  return row
}

/** Deletes changes that no longer need to be listed. */
export async function deleteOldBulkChanges(knex: Knex, now: Date): Promise<void> {
  await knex('bulk_changes')
    .where('ended_at', '<', new Date(now.getTime() - limits.bulk_listed_seconds * 1_000))
    .delete()
}

function toJson(value: object | null): string | null {
  return value && JSON.stringify(value)
}
