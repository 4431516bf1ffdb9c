import type { CombinedData } from '../domain/combine.ts'
import type { SearchSetting } from './user-search.ts'

export interface ProfileKey {
  readonly site: number
  readonly identifier: string
}

/** The stored profile of a user; `combined` is null if no provider's data is stored. */
export interface StoredProfile extends ProfileKey {
  readonly prohibited: boolean
  /** Deleted, or merged into another user. */
  readonly deleted: boolean
  readonly combined: CombinedData | null
  readonly update_count: number
  readonly last_updated_at: Date | null
  /** By what the user can be found; null: by nothing. */
  readonly search: SearchSetting | null
}
