import type { DatabaseName } from './stack.ts'

/** What must hold for the data of a database when all work is done. */
export interface Invariant {
  readonly database: DatabaseName
  readonly name: string
  /**
   * Selects the violations. `known_users` and `known_links` are those of identity, common table expressions: the query may add more of them
   * after a comma.
   */
  readonly query: string
}
