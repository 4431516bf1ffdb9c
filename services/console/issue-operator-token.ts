import { parseArgs } from 'node:util'
import { z } from 'zod'
import { openDatabase, transaction } from '#database'
import { ConfigError, configReader, createLogger, databaseSettings, describeError, toTimestamp } from '#runtime'
import { createMemberlessEntry } from './audit/memberless-entry.ts'
import { addSeconds, daySeconds } from './domain/time.ts'
import { insertEntry } from './store/audit-trail.ts'
import { insertToken } from './store/tokens.ts'

/**
 * `issue-operator-token --name <name> [--days <1 to 366>]`: prints an operator token for automation, which works
 * before any member has signed in. The second line says when it expires.
 */
const usage = 'usage: issue-operator-token --name <name> [--days <1 to 366>]\n'
const readConfig = configReader(databaseSettings)
const Arguments = z.object({
  name: z.string().trim().min(1).max(100),
  days: z.coerce.number().pipe(z.int().min(1).max(366)).default(30),
})

async function issue({ name, days }: z.output<typeof Arguments>): Promise<string> {
  const logger = createLogger('console', 'warn')
  await using database = await openDatabase(readConfig(process.env), {
    name: 'issue-operator-token',
    logger,
    pool_size: 1,
  })
  const now = new Date()
  const expiresAt = addSeconds(now, days * daySeconds)
  const { token } = await transaction(database.knex, async (trx) => {
    const issued = await insertToken(trx, { name, account: null, role: null, expires_at: expiresAt, now })
    const { token_id } = issued
    await insertEntry(
      trx,
      createMemberlessEntry('command line', {
        action: 'issueOperatorToken',
        after: { token_id, name, expires_at: toTimestamp(expiresAt) },
      }),
    )
    return issued
  })
  return `${token}\nThe token expires at ${toTimestamp(expiresAt)}.\n`
}

function readArguments(): z.output<typeof Arguments> | undefined {
  try {
    const { values } = parseArgs({ options: { name: { type: 'string' }, days: { type: 'string' } } })
    return Arguments.parse(values)
  } catch {
    return undefined
  }
}

const args = readArguments()
if (args === undefined) {
  process.stderr.write(usage)
  process.exit(1)
}
try {
  process.stdout.write(await issue(args))
} catch (error) {
  const isConfigError = error instanceof ConfigError
  process.stderr.write(
    `issue-operator-token: ${isConfigError ? error.message : JSON.stringify(describeError(error))}\n`,
  )
  process.exit(1)
}
