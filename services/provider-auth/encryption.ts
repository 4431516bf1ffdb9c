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
import { checkEncryptedValues } from './encryption/check.ts'
import { discardEncryptedValues } from './encryption/discard.ts'
import { describeKeyUsage, listKeyUsage } from './encryption/key-usage.ts'
import { type ReencryptResult, reencryptAll } from './encryption/reencrypt.ts'

const usage = `usage: encryption rotate            re-encrypts everything with the first key of the ring
       encryption check             decrypts everything and lists the values that cannot be decrypted
       encryption status            lists the keys in use and what they encrypt
       encryption discard <key id>  deletes the values that are encrypted with a permanently lost key
`
const readConfig = configReader({ ...databaseSettings, ...encryptionKeysSettings })

/** Number of rows that are re-encrypted in parallel; each uses a connection for a moment. */
const poolSize = 4

/** Runs a command and returns the exit code. */
async function runCommand([command, keyId = '']: readonly string[]): Promise<number> {
  const config = readConfig(process.env)
  const logger = createLogger('provider-auth', 'warn')
  const ring = openKeyRing(config, logger)
  await using database = await openDatabase(config, { name: 'encryption', logger, pool_size: poolSize })
  const { knex } = database
  const print = (text: string) => process.stdout.write(text)

  if (command === 'discard') {
    if (await ring.has(keyId)) {
      process.stderr.write(
        `encryption: The key ${keyId} is still in the key ring, so its values are not lost. Run instead: encryption rotate\n`,
      )
      return 1
    }
    const { credentials, signing_keys, settings } = await discardEncryptedValues(knex, keyId)
    print(`deleted: ${credentials} tokens, ${signing_keys} signing keys\n`)
    for (const name of settings) print(`save these provider settings again, with the client secret: ${name}\n`)
    return 0
  }

  if (command === 'check') {
    using encryptor = await createEncryptor(ring)
    const results = await checkEncryptedValues({ knex, encryptor })
    for (const { table, opened, broken } of results) {
      print(`${table}: ${opened} values decrypted\n`)
      for (const { context, reason } of broken) print(`${context.join(' ')}: ${reason}\n`)
    }
    return results.some(({ broken }) => broken.length > 0) ? 2 : 0
  }

  let broken = 0
  if (command === 'rotate') {
    using encryptor = await createEncryptor(ring)
    const rotated = await reencryptAll({ knex, encryptor }, (progress) => print(formatProgress(progress)))
    const contexts = rotated.flatMap((table) => table.broken)
    for (const context of contexts) print(`cannot be decrypted; left unchanged: ${context.join(' ')}\n`)
    broken = contexts.length
  }
  print(describeKeyUsage(await listKeyUsage(knex), await ring.current()))
  return broken === 0 ? 0 : 2
}

function formatProgress({ table, reencrypted, broken }: ReencryptResult): string {
  return `${table}: ${reencrypted} values re-encrypted${broken.length > 0 ? `, ${broken.length} cannot be decrypted` : ''}\n`
}

const command = process.argv.slice(2)
const length = { rotate: 1, check: 1, status: 1, discard: 2 }[String(command[0])]
if (length === undefined || command.length !== length) {
  process.stderr.write(usage)
  process.exit(1)
}
try {
  process.exitCode = await runCommand(command)
} catch (error) {
  const message = error instanceof ConfigError ? error.message : JSON.stringify(describeError(error))
  process.stderr.write(`encryption: ${message}\n`)
  process.exitCode = 1
}
