import type { SearchIndex } from './indexed-profile.ts'

/** What the stores need besides a transaction. */
export interface StoreTools {
  readonly searchIndex: SearchIndex
}
