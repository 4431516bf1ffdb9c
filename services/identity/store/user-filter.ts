import type { Knex } from 'knex'

/** Filters the users of a site. Times are Unix times in seconds. */
export interface UserFilter {
  readonly site: number
  readonly created_since?: number | undefined
  readonly logged_in_since?: number | undefined
  readonly mapped?: 'mapped_only' | 'not_mapped_only' | undefined
}

/** Selects the blocked users of the filter, through their own index. */
export function selectBlockedUsers(knex: Knex, filter: UserFilter): Knex.QueryBuilder {
  return selectUsers(knex, filter).whereNotNull('blocked_at').whereRaw('coalesce(blocked_until > now(), true)')
}

/** Selects the users of the filter. */
export function selectUsers(knex: Knex, filter: UserFilter): Knex.QueryBuilder {
  const users = selectRegisteredUsers(knex, filter)
  const { created_since } = filter
  return created_since === undefined ? users : users.whereRaw('created_at >= to_timestamp(?)', [created_since])
}

/** As `selectUsers`, and users who registered in the creation period although a merge made them older. */
export function selectRegisteredUsers(knex: Knex, filter: UserFilter): Knex.QueryBuilder {
  const { site, created_since, logged_in_since, mapped } = filter
  const users = knex('users').where({ site })
  if (created_since !== undefined) users.where('registration', '>=', created_since)
  if (logged_in_since !== undefined) whereLoggedInSince(users, logged_in_since)
  if (mapped === 'mapped_only') users.whereNotNull('primary_key')
  if (mapped === 'not_mapped_only') users.whereNull('primary_key')
  return users
}

/** Selects the users of `selectRegisteredUsers` who are not in `selectUsers`, through their own index. */
export function selectBackdatedUsers(
  knex: Knex,
  filter: UserFilter & { readonly created_since: number },
): Knex.QueryBuilder {
  return selectRegisteredUsers(knex, filter)
    .whereRaw('created_at < to_timestamp(registration)')
    .whereRaw('created_at < to_timestamp(?)', [filter.created_since])
}

export function whereLoggedInSince(users: Knex.QueryBuilder, since: number): Knex.QueryBuilder {
  return users.whereRaw('last_logged_in_at >= to_timestamp(?)', [since])
}

export function whereLoggedInBefore(users: Knex.QueryBuilder, until: number): Knex.QueryBuilder {
  return users.whereRaw('last_logged_in_at < to_timestamp(?)', [until])
}
