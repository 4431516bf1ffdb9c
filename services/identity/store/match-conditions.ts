import type { Knex } from 'knex'
import type { UserConditions, UserPosition } from '#contracts'
import { toMetadataMatch } from '../domain/metadata-values.ts'

export interface MatchConditions extends UserConditions {
  /** Whether the index has every user who meets the condition of metadata. */
  readonly hasMetadataIndex?: boolean
}

/** A part of a list, of which each has its order. */
export type ListSection = UserPosition['section']

const isBlocked = '(blocked_at is not null and coalesce(blocked_until > now(), true))'

/** Restricts the users of a scan to those that its index finds without reading others. */
export function whereScanned(
  users: Knex.QueryBuilder,
  { created_since, last_login_since, last_login_until, mapped }: MatchConditions,
  section: ListSection,
): Knex.QueryBuilder {
  if (section === 'registration') {
    // Users created in a period registered in it or later, because a merge can only make created_at earlier.
    if (created_since !== undefined) users.where('registration', '>=', toSeconds(created_since))
    whereMapped(users, mapped)
  }
  if (section === 'created_at' && created_since !== undefined) users.where('created_at', '>=', created_since)
  if (section === 'last_logged_in_at') whereLoggedIn(users, { last_login_since, last_login_until })
  return users
}

/** Restricts users, who are in a table or subquery named `users`, to those who meet all conditions. */
export function whereMatching(users: Knex.QueryBuilder, site: number, conditions: MatchConditions): Knex.QueryBuilder {
  const { created_since, created_until, provider, mapped, blocked, user_state, metadata } = conditions
  if (created_since !== undefined) users.where('created_at', '>=', created_since)
  if (created_until !== undefined) users.where('created_at', '<', created_until)
  whereLoggedIn(users, conditions)
  whereMapped(users, mapped)
  if (blocked === 'blocked_only' || user_state === 'blocked') users.whereRaw(isBlocked)
  if (blocked === 'not_blocked_only' || user_state === 'active') users.whereRaw(`not ${isBlocked}`)
  if (provider !== undefined) users.whereRaw(hasRow('links', 'and links.provider = ?'), [site, provider])
  if (user_state === 'to_be_deleted') users.whereRaw(hasRow('user_deletions'), [site])
  if (user_state === 'active') users.whereRaw(`not ${hasRow('user_deletions')}`, [site])
  if (metadata !== undefined) whereMetadata(users, site, metadata)
  return users
}

/** The metadata itself decides, because the index can be incomplete. A list has the value if one of its items is the value. */
function whereMetadata(users: Knex.QueryBuilder, site: number, condition: string): void {
  const { part, names, values } = toMetadataMatch(condition)
  const contains = values.map(() => '?? #> ? @> ?::jsonb').join(' or ')
  const bindings: Knex.RawBinding[] = values.flatMap(({ json }) => [`user_metadata.${part}`, [...names], json])
  users.whereRaw(hasRow('user_metadata', `and (${contains})`), [site, ...bindings])
}

/** Whether a table has a row of the user. With `exists`, Postgres may read the rows of all users instead of one by its key. */
const hasRow = (table: string, condition = '') =>
  `coalesce((select true from ${table} where ${table}.site = ? and ${table}.identifier = users.identifier ${condition} limit 1), false)`

/** The sets that contain all matching users, and that an index contains without others. Each may be small or large. */
export function selectSmallSets(knex: Knex, site: number, conditions: MatchConditions): Knex.QueryBuilder[] {
  const { created_since, last_login_since, last_login_until, provider, mapped, blocked, user_state } = conditions
  const { metadata, hasMetadataIndex = false } = conditions
  const selectFrom = (table: string) => knex(table).where({ site }).select('identifier')
  const sets: Knex.QueryBuilder[] = []
  if (blocked === 'blocked_only' || user_state === 'blocked') sets.push(selectFrom('users').whereNotNull('blocked_at'))
  if (user_state === 'to_be_deleted') sets.push(selectFrom('user_deletions'))
  if (provider !== undefined) sets.push(selectFrom('links').where({ provider }))
  if (metadata !== undefined && hasMetadataIndex) {
    const { path, values } = toMetadataMatch(metadata)
    const texts = [...new Set(values.map(({ text }) => text))]
    sets.push(selectFrom('metadata_values').where({ path }).whereIn('value', texts))
  }
  if (mapped !== undefined) sets.push(whereMapped(selectFrom('users'), mapped))
  if (created_since !== undefined) sets.push(selectFrom('users').where('registration', '>=', toSeconds(created_since)))
  if (last_login_since !== undefined || last_login_until !== undefined)
    sets.push(whereLoggedIn(selectFrom('users'), conditions))
  return sets
}

function whereMapped(users: Knex.QueryBuilder, mapped: MatchConditions['mapped']): Knex.QueryBuilder {
  if (mapped === 'mapped_only') users.whereNotNull('primary_key')
  if (mapped === 'not_mapped_only') users.whereNull('primary_key')
  return users
}

function whereLoggedIn(
  users: Knex.QueryBuilder,
  { last_login_since, last_login_until }: Pick<MatchConditions, 'last_login_since' | 'last_login_until'>,
): Knex.QueryBuilder {
  if (last_login_since !== undefined) users.where('last_logged_in_at', '>=', last_login_since)
  if (last_login_until !== undefined) users.where('last_logged_in_at', '<', last_login_until)
  return users
}

function toSeconds(time: string): number {
  return Date.parse(time) / 1_000
}
