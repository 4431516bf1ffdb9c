import { type UserSearchState, userSearchFields } from '#contracts'
import { toTimestamp } from '#runtime'
import type { SearchRow } from './store/user-search.ts'

/** Converts the stored setting of a site to the contract's; undefined if the site has never changed it. */
export function describeUserSearch(search: SearchRow | undefined): UserSearchState {
  if (search === undefined) return { fields: [], indexing: null, revision: 0 }
  const { fields, indexing_started_at, users_indexed, revision } = search
  return {
    fields: userSearchFields.filter((field) => fields.includes(field)),
    indexing: indexing_started_at === null ? null : { started_at: toTimestamp(indexing_started_at), users_indexed },
    revision,
  }
}
