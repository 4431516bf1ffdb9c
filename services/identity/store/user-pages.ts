import type { Knex } from 'knex'

/** Which of a site's users are wanted; times are Unix times in seconds. */
export interface UserFilter {
  readonly site: number
  readonly created_since?: number | undefined
  readonly logged_in_since?: number | undefined
  readonly mapped?: 'mapped_only' | 'not_mapped_only' | undefined
}

export async function countUsers(knex: Knex, filter: UserFilter): Promise<number> {
  const [row] = await matching(knex, filter).count({ total: '*' })
  return Number(row?.total)
}

/** Identifiers in their own order, which is that of creation. */
export async function listIdentifiers(
  knex: Knex,
  filter: UserFilter,
  { after, skip, limit }: { after: string | undefined; skip: number; limit: number },
): Promise<string[]> {
  const page = matching(knex, filter).orderBy('identifier').offset(skip).limit(limit)
  if (after !== undefined) page.where('identifier', '>', after)
  return page.pluck('identifier')
}

function matching(knex: Knex, { site, created_since, logged_in_since, mapped }: UserFilter): Knex.QueryBuilder {
  const users = knex('users').where({ site })
  if (created_since !== undefined) users.whereRaw('created_at >= to_timestamp(?)', [created_since])
  if (logged_in_since !== undefined) users.whereRaw('last_logged_in_at >= to_timestamp(?)', [logged_in_since])
  if (mapped === 'mapped_only') users.whereNotNull('primary_key')
  if (mapped === 'not_mapped_only') users.whereNull('primary_key')
  return users
}
