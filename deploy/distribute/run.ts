import { parseArgs } from 'node:util'
import { z } from 'zod'
import { type DistributionPlan, distribute, previewDistribution } from '#database'
import { databaseOwners } from '../local/database-owners.ts'

const usage = `Usage: npm run distribute -- --database postgres://… [--service ${databaseOwners
  .filter(({ distribution }) => distribution !== undefined)
  .map(({ name }) => name)
  .join('|')}] [--dry-run]`

const Options = z.object({ database: z.url(), service: z.string().optional(), 'dry-run': z.boolean().default(false) })

/**
 * `npm run distribute`: distributes the tables of one service's database by site, with Citus (docs/operate/scaling.md). The service is
 * that of the database's name unless it is given.
 */
async function main(): Promise<void> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { database: text, service: text, 'dry-run': { type: 'boolean' } } })
  const { database, service, 'dry-run': isDryRun } = Options.parse(values)
  const name = service ?? new URL(database).pathname.slice(1)
  const owner = databaseOwners.find((one) => one.name === name || one.database === name)
  if (owner === undefined) throw new Error(`No service has the database ${name}. Name the service with --service.`)
  if (owner.distribution === undefined) throw new Error(`The database of ${owner.name} is not distributed by site.`)
  const plan = await (isDryRun ? previewDistribution : distribute)(database, owner.distribution)
  process.stdout.write(describePlan(plan, isDryRun))
}

function describePlan(plan: DistributionPlan, isDryRun: boolean): string {
  const { distributed, reference, local, unmanaged, droppedKeys } = plan
  if (distributed.length === 0 && reference.length === 0 && unmanaged.length === 0)
    return 'All tables are distributed already.\n'
  const lines = [
    `Distributed by site: ${listOf(distributed)}`,
    `Copied to every server: ${listOf(reference)}`,
    `On the coordinator: ${listOf(local)}`,
    `Foreign keys without a check: ${listOf(droppedKeys.map((key) => key.name))}`,
    isDryRun ? 'Nothing was changed.' : 'Restart the replicas of the service now.',
  ]
  return `${lines.join('\n')}\n`
}

function listOf(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ')
}

try {
  await main()
} catch (error) {
  const reason = error instanceof z.ZodError ? z.prettifyError(error) : error instanceof Error ? error.message : error
  process.stderr.write(`${usage}\n${reason}\n`)
  process.exitCode = 1
}
