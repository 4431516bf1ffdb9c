import { limits, type Provider, type UserSearchField, userSearchFields } from '#contracts'
import type { Deps, ProfileHandlers } from '../deps.ts'
import { summarize } from '../domain/profile-summary.ts'
import { parseQuery, type SearchCondition } from '../domain/search-query.ts'
import { blindTerm } from '../search-keys.ts'
import { listDataOfUsers } from '../store/imported-profiles.ts'
import { listProfilesOfUsers } from '../store/profiles.ts'
import { listUsersWithTerms } from '../store/search-terms.ts'
import { findUserSearch } from '../store/user-search.ts'

/** Profiles that one search compares: nearly all users with the terms match. Our choice. */
const comparedProfiles = 2 * (limits.found_users + 1)
/** Users with the first of several terms that one search looks at. Our choice. */
const candidatesOfTerms = 5_000

export const findUsers: ProfileHandlers['findUsers'] = async ({ site, q, ...input }, deps) => {
  const search = await findUserSearch(deps.knex, site)
  const fields = userSearchFields.filter((field) => search?.fields.includes(field))
  const conditions = parseQuery(
    q,
    fields.filter((field) => input.fields?.includes(field) ?? true),
  )
  const { users, more } =
    conditions.length === 0 ? { users: [], more: false } : await findByConditions(site, conditions, deps)
  return { users, more, fields, indexing: search?.indexing_started_at instanceof Date }
}

async function findByConditions(site: number, conditions: readonly SearchCondition[], deps: Deps) {
  const { knex, reader, searchKeys } = deps
  const keys = [...(await searchKeys.findKeys(knex, site)).values()]
  const lookUps = conditions.flatMap(({ terms }) =>
    keys.map((key) =>
      listUsersWithTerms(
        reader,
        site,
        terms.map((text) => blindTerm(key, text)),
        { candidates: terms.length === 1 ? comparedProfiles : candidatesOfTerms, matches: comparedProfiles },
      ),
    ),
  )
  const results = await Promise.all(lookUps)
  const identifiers = [...new Set(results.flatMap((result) => result.identifiers))]
  const profiles = await listProfilesOfUsers(reader, deps, site, identifiers)
  const matching = profiles
    .flatMap(({ identifier, combined }) => {
      if (combined === null) return []
      const matches = conditions.filter((condition) => condition.matches(combined))
      return matches.length === 0 ? [] : [{ identifier, combined, matches }]
    })
    .toSorted((a, b) => (a.identifier < b.identifier ? 1 : -1))
  const found = matching.slice(0, limits.found_users)
  const ofProviders = Map.groupBy(
    await listDataOfUsers(
      reader,
      deps,
      site,
      found.map(({ identifier }) => identifier),
    ),
    ({ identifier }) => identifier,
  )
  return {
    more: matching.length > found.length || results.some((result) => result.more),
    users: found.map(({ identifier, combined, matches }) => ({
      identifier,
      ...summarize(combined),
      matches: userSearchFields.flatMap((field) => describeMatch(field, matches, ofProviders.get(identifier) ?? [])),
    })),
  }
}

/** What matched, and the providers that supplied it. */
function describeMatch(
  field: UserSearchField,
  matches: readonly SearchCondition[],
  supplies: Awaited<ReturnType<typeof listDataOfUsers>>,
): { field: UserSearchField; providers: Provider[] }[] {
  const [match] = matches.filter((condition) => condition.field === field)
  if (match === undefined) return []
  return [{ field, providers: supplies.filter(({ data }) => match.matches(data)).map(({ provider }) => provider) }]
}
