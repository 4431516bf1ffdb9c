import { DecryptionError, type EncryptionContext } from '#runtime'
import { type EncryptedTable, listRows } from './encrypted-values.ts'
import type { EncryptionBase } from './reencrypt.ts'

export interface CheckResult {
  readonly table: string
  readonly opened: number
  /** The values that cannot be decrypted, each with the reason. */
  readonly broken: readonly { readonly context: EncryptionContext; readonly reason: string }[]
}

/** Decrypts all values of a table and changes nothing. */
export async function checkTable<Key extends object>(
  { knex, encryptor }: EncryptionBase,
  table: EncryptedTable<Key>,
): Promise<CheckResult> {
  let opened = 0
  const broken: { context: EncryptionContext; reason: string }[] = []
  for await (const { key, values } of listRows(knex, table)) {
    for (const [column, value] of values) {
      const context = table.encryptionContextOf(key, column)
      try {
        await encryptor.decrypt(value, context)
        opened++
      } catch (error) {
        if (!(error instanceof DecryptionError)) throw error
        broken.push({ context, reason: error.message })
      }
    }
  }
  return { table: table.table, opened, broken }
}
