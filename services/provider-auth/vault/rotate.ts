import type { Knex } from 'knex'
import { DecryptionError, type EncryptionContext, type Encryptor } from '#runtime'
import { encryptedCredentials } from '../store/encrypted-credentials.ts'
import {
  batchRows,
  type EncryptedRow,
  type EncryptedTable,
  listStaleRows,
  replaceValues,
} from '../store/encrypted-values.ts'
import { encryptedSettings } from '../store/provider-settings.ts'
import { encryptedSigningKeys } from '../store/signing-keys.ts'

export interface Rotated {
  readonly table: string
  readonly reencrypted: number
  /** Places of values that cannot be opened; they are as they were. */
  readonly broken: readonly EncryptionContext[]
}

/**
 * Encrypts everything that is kept for long anew, under the present key of the ring, while logins go on.
 * A value is replaced if it is still the one that was read, so nothing is lost that a login wrote meanwhile. What is encrypted
 * under the present key is passed over: broken off and run again, it goes on.
 *
 * @param tell hears after each batch how far it has come in a table
 */
export async function rotateVault(base: Base, tell: (progress: Rotated) => void): Promise<Rotated[]> {
  return [
    await rotateTable(base, encryptedSigningKeys, tell),
    await rotateTable(base, encryptedSettings, tell),
    await rotateTable(base, encryptedCredentials, tell),
  ]
}

interface Base {
  readonly knex: Knex
  readonly encryptor: Encryptor
}

async function rotateTable<Key extends object>(
  base: Base,
  table: EncryptedTable<Key>,
  tell: (progress: Rotated) => void,
): Promise<Rotated> {
  let rotated: Rotated = { table: table.table, reencrypted: 0, broken: [] }
  for (let after: Key | undefined; ; ) {
    const rows = await listStaleRows(base.knex, table, base.encryptor.head(), { after, most: batchRows })
    const done = await Promise.all(rows.map((row) => reencryptRow(base, table, row)))
    rotated = {
      ...rotated,
      reencrypted: done.reduce((sum, { reencrypted }) => sum + reencrypted, rotated.reencrypted),
      broken: [...rotated.broken, ...done.flatMap(({ broken }) => broken)],
    }
    if (rows.length > 0 || after === undefined) tell(rotated)
    after = rows.at(-1)?.key
    if (after === undefined) return rotated
  }
}

async function reencryptRow<Key extends object>(base: Base, table: EncryptedTable<Key>, row: EncryptedRow<Key>) {
  for (let stale: EncryptedRow<Key> | undefined = row; ; ) {
    const { fresh, broken } = await reencrypt(base.encryptor, table, stale)
    if (fresh.size === 0 || (await replaceValues(base.knex, table, stale, fresh)))
      return { reencrypted: fresh.size, broken }
    // Somebody else has written it meanwhile, perhaps under the earlier key.
    const [again] = await listStaleRows(base.knex, table, base.encryptor.head(), { at: row.key })
    if (again === undefined) return { reencrypted: 0, broken: [] }
    stale = again
  }
}

async function reencrypt<Key extends object>(
  encryptor: Encryptor,
  { placeOf }: EncryptedTable<Key>,
  { key, values }: EncryptedRow<Key>,
) {
  const fresh = new Map<string, Buffer>()
  const broken: EncryptionContext[] = []
  for (const [column, value] of values) {
    const place = placeOf(key, column)
    try {
      fresh.set(column, encryptor.encrypt(await encryptor.decrypt(value, place), place))
    } catch (error) {
      if (!(error instanceof DecryptionError)) throw error
      broken.push(place)
    }
  }
  return { fresh, broken }
}
