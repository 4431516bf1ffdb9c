import type { Migration } from './migrate.ts'

/** Until then, a look-up of a new site can read as many rows. Our choice. */
const changes = 5_000

/** The SQL of `analyzeOftenMigration`, for a new table. */
export function analyzeOften(table: string): string {
  return `alter table ${table} set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = ${changes});`
}

/**
 * Lets autovacuum analyze tables after a fixed number of changes instead of a tenth of their rows. Postgres takes a site that was not
 * in a table at its last `analyze` for empty. All indexes that begin with the site then seem equally good to it, and look-ups read all
 * rows of the site: of a tenth of a large table, while another site is imported.
 */
export function analyzeOftenMigration(name: string, tables: readonly string[]): Migration {
  return {
    name,
    async up(knex) {
      for (const table of tables) await knex.raw(analyzeOften(table))
    },
  }
}
