import type { Knex } from 'knex'
import {
  ConfigError,
  configReader,
  createEncryptor,
  createLogger,
  databaseSettings,
  describeError,
  type EncryptionContext,
  encryptionKeysSettings,
  openKeyRing,
  personalDataSettings,
} from '#runtime'
import { openDatabase } from './connect.ts'
import { type CheckResult, checkTable } from './encryption/check.ts'
import {
  countKeyUsage,
  type EncryptedTable,
  type EncryptedText,
  type EncryptionKeyUsage,
} from './encryption/encrypted-values.ts'
import { describeKeyUsage } from './encryption/key-usage.ts'
import { type EncryptionBase, type ReencryptResult, reencryptTable } from './encryption/reencrypt.ts'
import { checkPersonalData, convertPersonalData, type PersonalTable } from './personal-data/convert.ts'

/** A table with long-lived encrypted values, for the command. */
export interface EncryptedValues extends Pick<EncryptedTable<never>, 'table' | 'columns'> {
  readonly reencrypt: (
    base: EncryptionBase,
    onProgress: (progress: ReencryptResult) => void,
  ) => Promise<ReencryptResult>
  readonly check: (base: EncryptionBase) => Promise<CheckResult>
}

export function encryptedValuesOf<Key extends object>(table: EncryptedTable<Key>): EncryptedValues {
  return {
    table: table.table,
    columns: table.columns,
    reencrypt: (base, onProgress) => reencryptTable(base, table, onProgress),
    check: (base) => checkTable(base, table),
  }
}

/** What a service encrypts, for operators. */
export interface EncryptionCommand {
  readonly service: string
  readonly tables: readonly EncryptedValues[]
  /** Values that expire by themselves: they are counted, but not re-encrypted. */
  readonly shortLived?: readonly Pick<EncryptedValues, 'table' | 'columns'>[]
  /** As `shortLived`, as text. */
  readonly shortLivedTexts?: readonly EncryptedText[]
  /** When values expire, by what they are stored in, as ` (deleted …)`. */
  readonly expiryNotes?: Readonly<Record<string, string>>
  /** What keys may encrypt that is not in the database, as a sentence. */
  readonly elsewhere?: string
  /** Tables with personal data, which is encrypted or decrypted as the service is configured. */
  readonly personalTables?: readonly PersonalTable[]
  /** Discards the values that a permanently lost key encrypts. @returns what was done, for operators, as lines */
  readonly discard: (knex: Knex, keyId: string) => Promise<string>
}

const usage = `usage: encryption rotate            re-encrypts everything with the first key of the ring
       encryption check             decrypts everything and lists the values that cannot be decrypted
       encryption status            lists the keys in use and what they encrypt
       encryption discard <key id>  deletes the values that are encrypted with a permanently lost key
`
const readConfig = configReader({ ...databaseSettings, ...encryptionKeysSettings, ...personalDataSettings })

/** Number of rows that are re-encrypted in parallel; each uses a connection for a moment. */
const poolSize = 4

/** Runs the operators' command with the environment of this process, and sets its exit code. */
export async function runEncryptionCommand(encryption: EncryptionCommand, command: readonly string[]): Promise<void> {
  const length = { rotate: 1, check: 1, status: 1, discard: 2 }[String(command[0])]
  if (length === undefined || command.length !== length) {
    process.stderr.write(usage)
    process.exit(1)
  }
  try {
    process.exitCode = await run(encryption, command)
  } catch (error) {
    const message = error instanceof ConfigError ? error.message : JSON.stringify(describeError(error))
    process.stderr.write(`encryption: ${message}\n`)
    process.exitCode = 1
  }
}

/** @returns the exit code */
async function run(encryption: EncryptionCommand, [command, keyId = '']: readonly string[]): Promise<number> {
  const { service, tables, expiryNotes = {}, elsewhere = '', personalTables = [], discard } = encryption
  const config = readConfig(process.env)
  const logger = createLogger(service, 'warn')
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
    print(await discard(knex, keyId))
    return 0
  }

  if (command === 'check') {
    using encryptor = await createEncryptor(ring)
    const results: CheckResult[] = []
    for (const { check } of tables) results.push(await check({ knex, encryptor }))
    for (const table of personalTables) results.push(await checkPersonalData({ knex, encryptor }, table))
    for (const { table, opened, broken } of results) {
      print(`${table}: ${opened} values decrypted\n`)
      for (const { context, reason } of broken) print(`${context.join(' ')}: ${reason}\n`)
    }
    return results.some(({ broken }) => broken.length > 0) ? 2 : 0
  }

  const broken: EncryptionContext[] = []
  if (command === 'rotate') {
    using encryptor = await createEncryptor(ring)
    for (const { reencrypt } of tables)
      broken.push(...(await reencrypt({ knex, encryptor }, (progress) => print(formatProgress(progress)))).broken)
    for (const context of broken) print(`cannot be decrypted; left unchanged: ${context.join(' ')}\n`)
    const encrypts = config.ENCRYPT_PERSONAL_DATA
    for (const table of personalTables) {
      const printProgress = (count: number) =>
        print(`${table.table}: ${count} values ${encrypts ? 'encrypted' : 'decrypted'}\n`)
      const count = await convertPersonalData({ knex, encryptor, encrypts }, table, printProgress)
      if (count === 0) printProgress(count)
    }
  }
  print(
    describeKeyUsage(await listKeyUsage(knex, encryption), { current: await ring.current(), expiryNotes, elsewhere }),
  )
  return broken.length === 0 ? 0 : 2
}

/** Lists which keys of the ring encrypt which values in the database. */
export function listKeyUsage(
  knex: Knex,
  { tables, shortLived = [], shortLivedTexts = [] }: EncryptionCommand,
): Promise<EncryptionKeyUsage[]> {
  return countKeyUsage(knex, [...tables, ...shortLived], shortLivedTexts)
}

function formatProgress({ table, reencrypted, broken }: ReencryptResult): string {
  return `${table}: ${reencrypted} values re-encrypted${broken.length > 0 ? `, ${broken.length} cannot be decrypted` : ''}\n`
}
