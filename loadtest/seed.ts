import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import type { Sites } from './seed/prepared.ts'
import { seedUsers } from './seed/seed-users.ts'
import { issueKeys } from './seed/sites.ts'

const usage =
  'Usage: node loadtest/seed.ts --database-url postgres://… [--sites 1] [--users 100000] [--keys-file sites.json]'

const Options = z.object({
  'database-url': z.url(),
  sites: z.coerce.number().pipe(z.int().min(1).max(100_000)).default(1),
  users: z.coerce.number().pipe(z.int().min(1)).default(100_000),
  'keys-file': z.string().min(1).optional(),
})

/**
 * Fills a migrated identity database with new sites and, evenly distributed, users with links. With `--keys-file`, each site
 * gets an API key, which `npm run load` uses.
 */
try {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { 'database-url': text, sites: text, users: text, 'keys-file': text } })
  const { 'database-url': databaseUrl, sites, users, 'keys-file': keysFile } = Options.parse(values)
  const print = (line: string) => process.stdout.write(`${line}\n`)
  const numbers = await seedUsers({ database_url: databaseUrl, sites, users, say: print })
  if (keysFile !== undefined) {
    const seeded: Sites = { sites: await issueKeys(databaseUrl, numbers), login_site: null }
    writeFileSync(keysFile, JSON.stringify(seeded), { mode: 0o600 })
    print(`${numbers.length} API keys written to ${keysFile}. They are not stored anywhere else.`)
  }
} catch (error) {
  process.stderr.write(`${usage}\n${error instanceof z.ZodError ? z.prettifyError(error) : error}\n`)
  process.exitCode = 1
}
