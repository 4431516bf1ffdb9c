import { parseArgs } from 'node:util'
import { z } from 'zod'
import { openDatabase, transaction } from '#database'
import {
  ConfigError,
  configReader,
  createLogger,
  databaseSettings,
  describeError,
  setting,
  toTimestamp,
} from '#runtime'
import { createMemberlessEntry } from './audit/memberless-entry.ts'
import { insertEntry } from './store/audit-trail.ts'
import { buildInvitationLink, insertInvitation } from './store/invitations.ts'

/**
 * `invite-operator --name <name>`: prints a single-use link, valid for a day, with which an operator adds a
 * passkey. The name of an existing operator gives that operator another passkey, for example after a loss. `--sign-in` is for
 * development machines: the link signs in without a passkey.
 */
const usage = 'usage: invite-operator --name <name> [--sign-in]\n'
const readConfig = configReader({ ...databaseSettings, CONSOLE_URL: setting.baseUrl })
const Name = z.string().trim().min(1).max(100)

async function invite(name: string, signsIn: boolean): Promise<string> {
  const config = readConfig(process.env)
  const logger = createLogger('console', 'warn')
  await using database = await openDatabase(config, { name: 'invite-operator', logger, pool_size: 1 })
  const { token, expires_at } = await transaction(database.knex, async (trx) => {
    await insertEntry(trx, createMemberlessEntry('command line', { action: 'inviteOperator', after: { name } }))
    return insertInvitation(trx, { name, signs_in: signsIn, now: new Date() })
  })
  return `${buildInvitationLink(config.CONSOLE_URL, token)}\nThe link can be used once, until ${toTimestamp(expires_at)}.\n`
}

function readArguments(): { name: string; signs_in: boolean } | undefined {
  try {
    const { values } = parseArgs({ options: { name: { type: 'string' }, 'sign-in': { type: 'boolean' } } })
    return { name: Name.parse(values.name), signs_in: values['sign-in'] ?? false }
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
  process.stdout.write(await invite(args.name, args.signs_in))
} catch (error) {
  const isConfigError = error instanceof ConfigError
  process.stderr.write(`invite-operator: ${isConfigError ? error.message : JSON.stringify(describeError(error))}\n`)
  process.exit(1)
}
