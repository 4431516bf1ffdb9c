import { describeError } from '#runtime'
import { type Migration, migrate } from './migrate.ts'

/** The program that moves one service's database forward: reads `DATABASE_URL`, says what it applied, exits 1 on failure. */
export async function runMigrateCommand(service: string, migrations: readonly Migration[]): Promise<void> {
  const url = process.env.DATABASE_URL
  if (!url) {
    process.stderr.write(`${service}: DATABASE_URL is missing.\n`)
    process.exit(1)
  }
  try {
    const { applied } = await migrate(url, migrations)
    process.stdout.write(`${service}: ${applied.length === 0 ? 'up to date' : `applied ${applied.join(', ')}`}\n`)
  } catch (error) {
    process.stderr.write(`${service}: the migration failed. ${JSON.stringify(describeError(error))}\n`)
    process.exit(1)
  }
}
