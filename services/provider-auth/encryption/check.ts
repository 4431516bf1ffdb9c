import type { Knex } from 'knex'
import { DecryptionError, type EncryptionContext, type Encryptor } from '#runtime'
import { encryptedCredentials } from '../store/encrypted-credentials.ts'
import { type EncryptedTable, listRows } from '../store/encrypted-values.ts'
import { encryptedSettings } from '../store/provider-settings.ts'
import { encryptedSigningKeys } from '../store/signing-keys.ts'

export interface CheckResult {
  readonly table: string
  readonly opened: number
  /** The values that cannot be decrypted, each with the reason. */
  readonly broken: readonly { readonly context: EncryptionContext; readonly reason: string }[]
}

/** Decrypts all long-lived values and changes nothing. */
export async function checkEncryptedValues(base: Base): Promise<CheckResult[]> {
  return [
    await checkTable(base, encryptedSigningKeys),
    await checkTable(base, encryptedSettings),
    await checkTable(base, encryptedCredentials),
  ]
}

interface Base {
  readonly knex: Knex
  readonly encryptor: Encryptor
}

async function checkTable<Key extends object>(
  { knex, encryptor }: Base,
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
