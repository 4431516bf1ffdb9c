import { openDatabase } from '#database'
import {
  ConfigError,
  configReader,
  createEncryptor,
  createLogger,
  describeError,
  encryptionKeysSettings,
  openKeyRing,
  setting,
} from '#runtime'
import { KeyRotationError, rotateSigningKeys, withdrawSigningKey } from './signing-keys/rotate.ts'
import { activationDelaySeconds, withdrawalDelaySeconds } from './signing-keys/schedule.ts'

const usage = `usage: rotate-keys.ts                  the next key of each algorithm; the present ones end by themselves
       rotate-keys.ts withdraw <kid>   ends a key at once that somebody else may have
`
const readConfig = configReader({ DATABASE_URL: setting.postgres_url, ...encryptionKeysSettings })

/** What the operator is told. */
async function runCommand(command: readonly string[]): Promise<string> {
  const config = readConfig(process.env)
  const logger = createLogger('provider-auth', 'warn')
  await using database = await openDatabase(config.DATABASE_URL, { name: 'rotate-keys', logger, pool_size: 1 })
  using encryptor = await createEncryptor(openKeyRing(config, logger))
  const base = { knex: database.knex, encryptor }
  const [, kid = ''] = command
  if (command.length > 0) return `withdrawn: ${kid}\nsigning: ${await withdrawSigningKey(base, kid)}\n`
  const kids = await rotateSigningKeys(base)
  const endedSeconds = activationDelaySeconds + withdrawalDelaySeconds
  return `published: ${kids.join(', ')}\nThey sign in ${activationDelaySeconds} seconds; the present keys end in ${endedSeconds}.\n`
}

const command = process.argv.slice(2)
if (command.length > 0 && (command[0] !== 'withdraw' || command.length !== 2)) {
  process.stderr.write(usage)
  process.exit(1)
}
try {
  process.stdout.write(await runCommand(command))
} catch (error) {
  const isExpected = error instanceof KeyRotationError || error instanceof ConfigError
  process.stderr.write(`rotate-keys: ${isExpected ? error.message : JSON.stringify(describeError(error))}\n`)
  process.exit(1)
}
