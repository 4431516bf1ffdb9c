import { openDatabase } from '#database'
import {
  ConfigError,
  configReader,
  createEncryptor,
  createLogger,
  databaseSettings,
  describeError,
  encryptionKeysSettings,
  openKeyRing,
} from '#runtime'
import { KeyRotationError, rotateSigningKeys, withdrawSigningKey } from './openid/signing-keys/rotate.ts'
import { activationDelaySeconds, withdrawalDelaySeconds } from './openid/signing-keys/schedule.ts'

const usage = `usage: rotate-keys                 creates the next signing key of each algorithm; the current keys retire automatically
       rotate-keys withdraw <kid>  deletes a compromised key immediately
`
const readConfig = configReader({ ...databaseSettings, ...encryptionKeysSettings })

/** Runs the command and returns its output. */
async function runCommand(command: readonly string[]): Promise<string> {
  const config = readConfig(process.env)
  const logger = createLogger('provider-auth', 'warn')
  await using database = await openDatabase(config, { name: 'rotate-keys', logger, pool_size: 1 })
  using encryptor = await createEncryptor(openKeyRing(config, logger))
  const base = { knex: database.knex, encryptor }
  const [, kid = ''] = command
  if (command.length > 0) return `withdrawn: ${kid}\nsigning: ${await withdrawSigningKey(base, kid)}\n`
  const kids = await rotateSigningKeys(base)
  const endedSeconds = activationDelaySeconds + withdrawalDelaySeconds
  return `published: ${kids.join(', ')}\nThe new keys start signing in ${activationDelaySeconds} seconds. The current keys are withdrawn in ${endedSeconds} seconds.\n`
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
