import { parseArgs } from 'node:util'
import { z } from 'zod'
import { seedUsers } from './seed/seed-users.ts'

const usage = 'Usage: node loadtest/seed.ts --database-url postgres://… [--sites 1] [--users 100000]'

const Options = z.object({
  'database-url': z.url(),
  sites: z.coerce.number().pipe(z.int().min(1).max(10_000)).default(1),
  users: z.coerce.number().pipe(z.int().min(1)).default(100_000),
})

/** Fills a migrated identity database with new sites and, spread evenly over them, so many users with links. */
try {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { 'database-url': text, sites: text, users: text } })
  const { 'database-url': database_url, sites, users } = Options.parse(values)
  const say = (line: string) => process.stdout.write(`${line}\n`)
  await seedUsers({ database_url, sites, users, say })
} catch (error) {
  process.stderr.write(`${usage}\n${error instanceof z.ZodError ? z.prettifyError(error) : error}\n`)
  process.exitCode = 1
}
