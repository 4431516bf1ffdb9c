/**
 * A table with rows of sites. A service describes its tables once, those that others refer to first: rows are copied in this order and
 * deleted in the opposite one.
 */
export interface SiteDataTable {
  readonly table: string
  /** Columns that are unique within a site. Absent: rows have no key. */
  readonly key?: readonly string[]
  /** The table that has the site of each row, if this one has no column `site`. */
  readonly parent?: RelatedTable
  /** Rows of one statement, if they are large. */
  readonly batch?: number
  /**
   * What happens to the rows of a deleted site, unless `deleteSiteRows` deletes them: a foreign key deletes them (`cascades`), a statement
   * of the service does (`separate`), or they remain (`kept`).
   */
  readonly deletion?: 'cascades' | 'separate' | 'kept'
  /** How rows move to another cell; absent: they do not, because the cell creates its own, or because they are records of this one. */
  readonly move?: SiteDataMove
}

export interface SiteDataMove {
  /** Its rows move once the site is frozen, with the jobs (`site-copy/queues.ts`). */
  readonly isQueue?: true
  /** Columns that are not copied, because their values belong to the cell, and SQL of their values in new rows. */
  readonly own?: Readonly<Record<string, string>>
  /** A table whose row a row refers to. */
  readonly refers?: RelatedTable
  /** Columns, apart from the key, that are unique within a site, and what makes them free in a row that is in the way. */
  readonly unique?: {
    readonly columns: readonly string[]
    readonly release: 'delete' | Readonly<Record<string, string>>
  }
  /** Rows that background work may delete while the site is frozen: all, or those whose column has a time in the past, or a value. */
  readonly expired?: { readonly when: 'always' | 'past' | 'set'; readonly column?: string }
}

/** A table, and the column that both have. */
export interface RelatedTable {
  readonly table: string
  readonly column: string
}

/** The records of freezes and of copies of sites. */
export const siteCopyTables: readonly SiteDataTable[] = [
  { table: 'frozen_sites', key: ['claim'] },
  { table: 'site_copies', key: [] },
  { table: 'site_copy_ranges', key: ['table_name', 'after'] },
]

const reason = 'Sites of a distributed database do not move, because Citus has no triggers.'

/** The same tables, of a database that is distributed by site. */
export const siteCopyGlobalTables = { frozen_sites: reason, site_copies: reason, site_copy_ranges: reason }
