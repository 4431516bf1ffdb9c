import type { Knex } from 'knex'
import type { Provider, User, UserBlock } from '#contracts'
import {
  type Command,
  defineStatement,
  type EventToStore,
  type Executor,
  insertOfCommand,
  insertOfEvent,
  type StatementResult,
  toCommandParameters,
  toEventParameters,
  translateConstraintErrors,
} from '#database'
import { toTimestamp, toTimestampOrNull } from '#runtime'
import { defineUserChange } from './count-changes.ts'
import { deleteResponsesOfUser } from './stored-responses.ts'

/** The key of a user: identifiers are unique per site. */
export interface UserKey {
  readonly site: number
  readonly identifier: string
}

/** A row of `users` without the site. */
export interface UserRow {
  readonly identifier: string
  readonly primary_key: string | null
  readonly mapped_at: Date | null
  readonly last_logged_in_at: Date | null
  readonly last_logged_in_provider: Provider | null
  readonly login_count: number
  readonly created_at: Date
  readonly blocked_at: Date | null
  readonly blocked_until: Date | null
  readonly block_reason: string | null
  readonly blocked_by: string | null
  readonly sessions_ended_at: Date | null
}

export const userRowColumns = `identifier, primary_key, mapped_at, last_logged_in_at, last_logged_in_provider, login_count,
  created_at, blocked_at, blocked_until, block_reason, blocked_by, sessions_ended_at`

export function toUser(row: UserRow): User {
  return {
    identifier: row.identifier,
    primary_key: row.primary_key,
    mapped_at: toTimestampOrNull(row.mapped_at),
    last_logged_in_at: toTimestampOrNull(row.last_logged_in_at),
    last_logged_in_provider: row.last_logged_in_provider,
    login_count: row.login_count,
    created_at: toTimestamp(row.created_at),
    block: toBlock(row),
    sessions_ended_at: row.sessions_ended_at?.toISOString(),
  }
}

/** The block of a user; undefined if there is none, or it has ended. */
function toBlock({ blocked_at, blocked_until, block_reason, blocked_by }: UserRow): UserBlock | undefined {
  if (blocked_at === null || blocked_by === null) return undefined
  if (blocked_until !== null && blocked_until.getTime() <= Date.now()) return undefined
  return {
    since: toTimestamp(blocked_at),
    until: toTimestampOrNull(blocked_until),
    reason: block_reason,
    by: blocked_by,
  }
}

/** The users whose identifier, primary_key or provider account ID is exactly this; each once, ordered by identifier. */
export async function selectUsersWithId(knex: Knex, site: number, id: string): Promise<User[]> {
  const { rows } = await knex.raw<{ rows: UserRow[] }>(
    `with recursive providers as (
       select min(provider) as provider from links where site = :site
       union all
       select (select min(provider) from links where site = :site and provider > providers.provider)
       from providers where providers.provider is not null
     )
     select * from users
     where site = :site and identifier in (
       select :id
       union select identifier from users where site = :site and primary_key = :id
       union select identifier from links where site = :site and provider in (select provider from providers) and provider_user_id = :id
     )
     order by identifier`,
    { site, id },
  )
  return rows.map(toUser)
}

/** A user to insert. */
export interface NewUser extends UserKey {
  readonly primary_key: string | null
  readonly created_at: Date
}

const insertRow = defineUserChange<UserRow>({
  parts: `stored as (${insertOfEvent(6)})`,
  change: 'insert into users (site, identifier, primary_key, mapped_at, created_at) values ($1, $2, $3, $4, $5)',
  returning: userRowColumns,
})

/**
 * Inserts a user, with the event of its creation.
 *
 * @throws Fault `duplicated_primary_key`, or `entity_not_found` if the site does not exist
 */
export async function insertUser(trx: Knex.Transaction, user: NewUser, event: EventToStore): Promise<User> {
  return toUser(only(await translateInsert(insertRow(trx, toParameters(user, event)))))
}

const insertRowOnce = defineUserChange<UserRow>({
  parts: `command as (${insertOfCommand(9)}), stored as (${insertOfEvent(6, 'command')})`,
  change: `insert into users (site, identifier, primary_key, mapped_at, created_at)
   select $1::integer, $2, $3, $4::timestamptz, $5::timestamptz from command`,
  returning: userRowColumns,
})

/**
 * Inserts a user as `insertUser` does, together with the command: in one statement, which costs half the CPU time of a transaction.
 *
 * @returns undefined if the command is stored already
 */
export async function insertUserOnce(
  knex: Knex,
  user: NewUser,
  event: EventToStore,
  command: Command,
): Promise<User | undefined> {
  const inserting = insertRowOnce(knex, [...toParameters(user, event), ...toCommandParameters(command)])
  return (await translateInsert(inserting)).map(toUser)[0]
}

function toParameters({ site, identifier, primary_key, created_at }: NewUser, event: EventToStore): unknown[] {
  const mappedAt = primary_key === null ? null : created_at
  return [site, identifier, primary_key, mappedAt, created_at, ...toEventParameters(event)]
}

async function translateInsert(inserting: Promise<StatementResult<UserRow>>): Promise<UserRow[]> {
  const { rows } = await translateConstraintErrors(inserting, {
    users_primary_key_unique: 'duplicated_primary_key',
    users_site_fk: 'entity_not_found',
  })
  return rows
}

const selectUsers = defineStatement<UserRow>(
  `select ${userRowColumns} from users where site = $1 and identifier = any($2)`,
)

/** The users with these identifiers, unordered. */
export async function listUsersByIdentifier(
  executor: Executor,
  site: number,
  identifiers: readonly string[],
): Promise<User[]> {
  return (await selectUsers(executor, [site, identifiers])).rows.map(toUser)
}

export async function findUserRow(knex: Knex, { site, identifier }: UserKey): Promise<UserRow | undefined> {
  return knex('users').where({ site, identifier }).first()
}

const selectForChange = defineStatement<UserRow>(
  `select ${userRowColumns} from users where site = $1 and identifier = $2 for no key update`,
)

/** Finds a user and locks it until the transaction ends. */
export async function lockUser(trx: Knex.Transaction, { site, identifier }: UserKey): Promise<User | undefined> {
  const [row] = (await selectForChange(trx, [site, identifier])).rows
  return row && toUser(row)
}

const selectIdentifier = defineStatement<{ identifier: string }>(
  'select identifier from users where site = $1 and primary_key = $2',
)

/** The identifier of the user with this primary_key. */
export async function findIdentifier(
  executor: Executor,
  site: number,
  primaryKey: string,
): Promise<string | undefined> {
  return (await selectIdentifier(executor, [site, primaryKey])).rows[0]?.identifier
}

const updateMapping = defineUserChange({
  parts: `stored as (${insertOfEvent(5)})`,
  change: 'update users set primary_key = $3, mapped_at = $4 where site = $1 and identifier = $2',
})

/**
 * Maps a locked user, with the event of the change; null unmaps.
 *
 * @throws Fault `duplicated_primary_key`
 */
export async function updatePrimaryKey(
  trx: Knex.Transaction,
  { site, identifier }: UserKey,
  { primary_key, time }: { readonly primary_key: string | null; readonly time: Date },
  event: EventToStore,
): Promise<void> {
  const mappedAt = primary_key === null ? null : time
  const updating = updateMapping(trx, [site, identifier, primary_key, mappedAt, ...toEventParameters(event)])
  await translateConstraintErrors(updating, { users_primary_key_unique: 'duplicated_primary_key' })
}

const deleteRow = defineUserChange({ change: 'delete from users where site = $1 and identifier = $2' })

/** Deletes a user that is locked for update, with links and login history. @returns false if the user does not exist */
export async function deleteUserRow(trx: Knex.Transaction, { site, identifier }: UserKey): Promise<boolean> {
  await deleteResponsesOfUser(trx, { site, identifier })
  return (await deleteRow(trx, [site, identifier])).rowCount === 1
}

function only(rows: readonly UserRow[]): UserRow {
  const [row] = rows
  if (row === undefined) throw new Error('The statement returned no row.')
  return row
}
