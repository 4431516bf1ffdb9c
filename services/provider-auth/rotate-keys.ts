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
import { publishAfterSeconds, publishAheadSeconds } from './keys/pace.ts'
import { KeysRefused, rotateSigningKeys, withdrawSigningKey } from './keys/rotate.ts'

const usage = `usage: rotate-keys.ts                  the next key of each algorithm; the present ones end by themselves
       rotate-keys.ts withdraw <kid>   ends a key at once that somebody else may have
`
const readConfig = configReader({ DATABASE_URL: setting.postgres_url, ...encryptionKeysSettings })

/** What the operator is told. */
async function carryOut(command: readonly string[]): Promise<string> {
  const config = readConfig(process.env)
  const logger = createLogger('provider-auth', 'warn')
  await using database = await openDatabase(config.DATABASE_URL, { name: 'rotate-keys', logger, pool_size: 1 })
  using encryptor = await createEncryptor(openKeyRing(config, logger))
  const base = { knex: database.knex, encryptor }
  const [, kid = ''] = command
  if (command.length > 0) return `withdrawn: ${kid}\nsigning: ${await withdrawSigningKey(base, kid)}\n`
  const kids = await rotateSigningKeys(base)
  const endedSeconds = publishAheadSeconds + publishAfterSeconds
  return `published: ${kids.join(', ')}\nThey sign in ${publishAheadSeconds} seconds; the present keys end in ${endedSeconds}.\n`
}

const command = process.argv.slice(2)
if (command.length > 0 && (command[0] !== 'withdraw' || command.length !== 2)) {
  process.stderr.write(usage)
  process.exit(1)
}
try {
  process.stdout.write(await carryOut(command))
} catch (error) {
  const told = error instanceof KeysRefused || error instanceof ConfigError
  process.stderr.write(`rotate-keys: ${told ? error.message : JSON.stringify(describeError(error))}\n`)
  process.exit(1)
}
