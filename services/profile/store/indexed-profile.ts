import type { Knex } from 'knex'
import type { StoredProfile } from './stored-profile.ts'

/** A locked profile, with the data that it has now. */
export type IndexedProfile = Pick<StoredProfile, 'site' | 'identifier' | 'combined' | 'search'>

/** Keeps the terms by which users are found, in the transactions of changes of their profiles. */
export interface SearchIndex {
  /** Replaces the terms of locked users of one site. Without a statement if the site has not switched on any field. */
  readonly update: (trx: Knex.Transaction, profiles: readonly IndexedProfile[]) => Promise<void>
}
