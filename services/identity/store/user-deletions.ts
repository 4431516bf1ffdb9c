import type { Knex } from 'knex'
import type { DeletionCause } from '#contracts'
import {
  defineStatement,
  type EventToStore,
  type Executor,
  insertOfEvent,
  isNotFrozen,
  toEventParameters,
} from '#database'
import type { UserKey } from './users.ts'

/** A deletion that a user requested, or that was announced to an inactive user. */
export interface UserDeletionRow {
  readonly requested_at: Date
  readonly delete_at: Date
  readonly cause: DeletionCause
}

const selectDeletion = defineStatement<UserDeletionRow>(
  'select requested_at, delete_at, cause from user_deletions where site = $1 and identifier = $2',
)

export async function findUserDeletion(
  executor: Executor,
  { site, identifier }: UserKey,
): Promise<UserDeletionRow | undefined> {
  return (await selectDeletion(executor, [site, identifier])).rows[0]
}

const insertDeletion = defineStatement(
  `with stored as (${insertOfEvent(5)})
   insert into user_deletions (site, identifier, requested_at, delete_at) values ($1, $2, $3, $4)`,
)

/** Stores the request of a locked user who has none, with the event. */
export async function insertUserDeletion(
  executor: Executor,
  { site, identifier }: UserKey,
  { requested_at, delete_at }: Omit<UserDeletionRow, 'cause'>,
  event: EventToStore,
): Promise<void> {
  await insertDeletion(executor, [site, identifier, requested_at, delete_at, ...toEventParameters(event)])
}

const removeDeletion = defineStatement(
  `with stored as (${insertOfEvent(3)}) delete from user_deletions where site = $1 and identifier = $2`,
)

/** Removes the user's own request of a locked user, with the event. */
export async function deleteUserDeletion(
  executor: Executor,
  { site, identifier }: UserKey,
  event: EventToStore,
): Promise<void> {
  await removeDeletion(executor, [site, identifier, ...toEventParameters(event)])
}

const selectDue = defineStatement<UserKey & { readonly requested_at: Date }>(
  `select site, identifier, requested_at from user_deletions where delete_at <= now() and ${isNotFrozen('site')}
   order by delete_at limit $1`,
)

/** Users who are to be deleted now, at most `limit`. */
export async function listDueUserDeletions(
  executor: Executor,
  limit: number,
): Promise<readonly (UserKey & { readonly requested_at: Date })[]> {
  return (await selectDue(executor, [limit])).rows
}

/** Those of some users who asked to be deleted or are announced as inactive. */
export async function listUsersToDelete(knex: Knex, site: number, identifiers: readonly string[]): Promise<string[]> {
  if (identifiers.length === 0) return []
  return knex('user_deletions').where({ site }).whereIn('identifier', identifiers).pluck('identifier')
}
