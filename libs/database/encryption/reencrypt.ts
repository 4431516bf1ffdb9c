import type { Knex } from 'knex'
import { DecryptionError, type EncryptionContext, type Encryptor } from '#runtime'
import { batchSize, type EncryptedRow, type EncryptedTable, listStaleRows, replaceValues } from './encrypted-values.ts'

export interface EncryptionBase {
  readonly knex: Knex
  readonly encryptor: Encryptor
}

export interface ReencryptResult {
  readonly table: string
  readonly reencrypted: number
  /** The values that cannot be decrypted; they remain unchanged. */
  readonly broken: readonly EncryptionContext[]
}

/**
 * Re-encrypts all values of a table with the current key of the ring, while logins continue. A value is replaced only
 * if it has not changed since it was read, so that values of concurrent logins are not lost. Values that already use
 * the current key are skipped, so an interrupted run can be continued.
 *
 * @param onProgress called after each batch
 */
export async function reencryptTable<Key extends object>(
  base: EncryptionBase,
  table: EncryptedTable<Key>,
  onProgress: (progress: ReencryptResult) => void,
): Promise<ReencryptResult> {
  let rotated: ReencryptResult = { table: table.table, reencrypted: 0, broken: [] }
  for (let after: Key | undefined; ; ) {
    const rows = await listStaleRows(base.knex, table, base.encryptor.head(), { after, limit: batchSize })
    const done = await Promise.all(rows.map((row) => reencryptRow(base, table, row)))
    rotated = {
      ...rotated,
      reencrypted: done.reduce((sum, { reencrypted }) => sum + reencrypted, rotated.reencrypted),
      broken: [...rotated.broken, ...done.flatMap(({ broken }) => broken)],
    }
    if (rows.length > 0 || after === undefined) onProgress(rotated)
    after = rows.at(-1)?.key
    if (after === undefined) return rotated
  }
}

async function reencryptRow<Key extends object>(
  base: EncryptionBase,
  table: EncryptedTable<Key>,
  row: EncryptedRow<Key>,
) {
  for (let stale: EncryptedRow<Key> | undefined = row; ; ) {
    const { reencrypted, broken } = await reencrypt(base.encryptor, table, stale)
    if (reencrypted.size === 0 || (await replaceValues(base.knex, table, stale, reencrypted)))
      return { reencrypted: reencrypted.size, broken }
    // Another process has written the row meanwhile, perhaps with the earlier key.
    const [again] = await listStaleRows(base.knex, table, base.encryptor.head(), { at: row.key })
    if (again === undefined) return { reencrypted: 0, broken: [] }
    stale = again
  }
}

async function reencrypt<Key extends object>(
  encryptor: Encryptor,
  { encryptionContextOf }: EncryptedTable<Key>,
  { key, values }: EncryptedRow<Key>,
) {
  const reencrypted = new Map<string, Buffer>()
  const broken: EncryptionContext[] = []
  for (const [column, value] of values) {
    const context = encryptionContextOf(key, column)
    try {
      reencrypted.set(column, encryptor.encrypt(await encryptor.decrypt(value, context), context))
    } catch (error) {
      if (!(error instanceof DecryptionError)) throw error
      broken.push(context)
    }
  }
  return { reencrypted, broken }
}
