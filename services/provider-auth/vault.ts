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
import { checkVault } from './vault/check.ts'
import { discardEncrypted } from './vault/discard.ts'
import { type Rotated, rotateVault } from './vault/rotate.ts'
import { describeUses, listKeyUses } from './vault/uses.ts'

const usage = `usage: vault.ts rotate             encrypts everything anew under the first key of the ring
       vault.ts check              opens everything, and names what cannot be opened
       vault.ts status             tells which keys are in use, and for what
       vault.ts discard <key id>   gives up what is encrypted under a key that is lost for good
`
const readConfig = configReader({ DATABASE_URL: setting.postgres_url, ...encryptionKeysSettings })

/** Rows at a time that are encrypted anew together; each takes a connection for a moment. */
const poolSize = 4

/** Carries a command out and answers the exit code. */
async function carryOut([command, keyId = '']: readonly string[]): Promise<number> {
  const config = readConfig(process.env)
  const logger = createLogger('provider-auth', 'warn')
  const ring = openKeyRing(config, logger)
  await using database = await openDatabase(config.DATABASE_URL, { name: 'vault', logger, pool_size: poolSize })
  const { knex } = database
  const say = (text: string) => process.stdout.write(text)

  if (command === 'discard') {
    if (await ring.has(keyId)) {
      process.stderr.write(`vault: The key ${keyId} is in the ring: nothing under it is lost. Run: vault.ts rotate\n`)
      return 1
    }
    const { credentials, signing_keys, settings } = await discardEncrypted(knex, keyId)
    say(`given up: ${credentials} tokens, ${signing_keys} signing keys\n`)
    for (const name of settings) say(`to be saved anew with its secret: ${name}\n`)
    return 0
  }

  if (command === 'check') {
    using encryptor = await createEncryptor(ring)
    const checked = await checkVault({ knex, encryptor })
    for (const { table, opened, broken } of checked) {
      say(`${table}: ${opened} can be opened\n`)
      for (const { place, reason } of broken) say(`${place.join(' ')}: ${reason}\n`)
    }
    return checked.some(({ broken }) => broken.length > 0) ? 2 : 0
  }

  let broken = 0
  if (command === 'rotate') {
    using encryptor = await createEncryptor(ring)
    const rotated = await rotateVault({ knex, encryptor }, (progress) => say(described(progress)))
    const places = rotated.flatMap((table) => table.broken)
    for (const place of places) say(`cannot be opened, and is as it was: ${place.join(' ')}\n`)
    broken = places.length
  }
  say(describeUses(await listKeyUses(knex), await ring.current()))
  return broken === 0 ? 0 : 2
}

function described({ table, reencrypted, broken }: Rotated): string {
  return `${table}: ${reencrypted} encrypted anew${broken.length > 0 ? `, ${broken.length} cannot be opened` : ''}\n`
}

const command = process.argv.slice(2)
const length = { rotate: 1, check: 1, status: 1, discard: 2 }[String(command[0])]
if (length === undefined || command.length !== length) {
  process.stderr.write(usage)
  process.exit(1)
}
try {
  process.exitCode = await carryOut(command)
} catch (error) {
  const told = error instanceof ConfigError ? error.message : JSON.stringify(describeError(error))
  process.stderr.write(`vault: ${told}\n`)
  process.exitCode = 1
}
