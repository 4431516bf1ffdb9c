import type { Knex } from 'knex'
import { defineStatement, type Executor } from '#database'
import type { ProfileKey } from './stored-profile.ts'

/** The terms of a user. */
export interface UserTerms {
  readonly identifier: string
  readonly terms: readonly number[]
}

const deleteOthers = defineStatement(
  `delete from user_search_terms as stored where site = $1 and identifier = any($2)
   and not exists (
     select from unnest($3::text[], $4::integer[]) as given (identifier, term)
     where given.identifier = stored.identifier and given.term = stored.term)`,
)
const insertEach = defineStatement(
  `insert into user_search_terms (site, term, identifier)
   select $1::integer, term, identifier from unnest($2::text[], $3::integer[]) as given (identifier, term)
   on conflict do nothing`,
)

/** Replaces the terms of locked users of a site. */
export async function replaceTerms(trx: Knex.Transaction, site: number, users: readonly UserTerms[]): Promise<void> {
  const rows = users.flatMap(({ identifier, terms }) => terms.map((term) => ({ identifier, term })))
  const identifiers = rows.map(({ identifier }) => identifier)
  const terms = rows.map(({ term }) => term)
  await deleteOthers(trx, [site, users.map(({ identifier }) => identifier), identifiers, terms])
  if (rows.length > 0) await insertEach(trx, [site, identifiers, terms])
}

const deleteOfUser = defineStatement('delete from user_search_terms where site = $1 and identifier = $2')

export async function deleteTerms(trx: Knex.Transaction, { site, identifier }: ProfileKey): Promise<void> {
  await deleteOfUser(trx, [site, identifier])
}

/** Rows of one statement. Our choice. */
const deletedAtOnce = 5_000

/** Deletes terms of a site. @returns whether there may be more */
export async function deleteTermsOfSite(trx: Knex.Transaction, site: number): Promise<boolean> {
  const rows = trx('user_search_terms').where({ site }).limit(deletedAtOnce).select(trx.raw('ctid'))
  return (
    (await trx('user_search_terms').where({ site }).whereRaw('ctid = any(array(?))', [rows]).delete()) === deletedAtOnce
  )
}

const newestWithTerm = `select identifier from user_search_terms where site = $1 and term = $2 order by identifier desc limit $4`

/**
 * SQL of the number of the newest users of site `$1` with the term `$2`, at most `$4`, and of the first `$5` among them who have all
 * terms `$3`. The newest are read twice, because only a subquery in this place keeps its order, so that the search ends with the last of
 * `$5`.
 */
export const usersWithTerms = `select (select count(*)::integer from (${newestWithTerm}) as counted) as candidates, array(
     select identifier from (${newestWithTerm}) as candidates
     where not exists (
       select from unnest($3::integer[]) as wanted (term)
       where not exists (
         select from user_search_terms as other
         where other.site = $1 and other.term = wanted.term and other.identifier = candidates.identifier offset 0))
     order by identifier desc limit $5) as identifiers`

const selectUsers = defineStatement<{ candidates: number; identifiers: string[] }>(usersWithTerms)

/**
 * Looks at the newest users of a site who have a term, at most `candidates`, for those who have the other terms, too.
 *
 * @returns the newest first, at most `matches`; `more`: there may be more
 */
export async function listUsersWithTerms(
  executor: Executor,
  site: number,
  [first, ...others]: readonly number[],
  limits: { readonly candidates: number; readonly matches: number },
): Promise<{ readonly identifiers: readonly string[]; readonly more: boolean }> {
  const [row] = (await selectUsers(executor, [site, first, others, limits.candidates, limits.matches])).rows
  if (row === undefined) throw new Error('The statement returned no row.')
  const { candidates, identifiers } = row
  return { identifiers, more: candidates === limits.candidates || identifiers.length === limits.matches }
}
