import { ConfigError, configReader, describeError, setting } from '#runtime'
import { distributeNewTables } from './distribute.ts'
import type { Distribution } from './distribution.ts'
import { type Migration, migrate } from './migrate.ts'

/**
 * Migrates one service's database: reads `DATABASE_URL`, prints the applied migrations, exits with 1 on failure. If the database is
 * distributed, new tables are, too.
 */
export async function runMigrateCommand(
  service: string,
  migrations: readonly Migration[],
  distribution?: Distribution,
): Promise<void> {
  try {
    const { DATABASE_URL } = configReader({ DATABASE_URL: setting.postgres_url })(process.env)
    const { applied } = await migrate(DATABASE_URL, migrations)
    if (distribution !== undefined) await distributeNewTables(DATABASE_URL, distribution)
    process.stdout.write(`${service}: ${applied.length === 0 ? 'up to date' : `applied ${applied.join(', ')}`}\n`)
  } catch (error) {
    if (error instanceof ConfigError) process.stderr.write(`${service}: ${error.message}\n`)
    else process.stderr.write(`${service}: the migration failed. ${JSON.stringify(describeError(error))}\n`)
    process.exit(1)
  }
}
