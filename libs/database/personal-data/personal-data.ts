import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import { DecryptionError, type EncryptionContext, type Encryptor } from '#runtime'
import type { Executor } from '../statement.ts'
import { decryptText, encryptText } from './cipher.ts'
import { ensureKeys, keyContextOf, listKeys, nameOf, type Subject } from './keys.ts'

const keyBytes = 32

/** Personal data in a column of type jsonb: an object, or the object encrypted with the subject's key, as a string. */
export type PersonalColumn<T extends object> = T | string | null

/** Encrypts and decrypts the personal data of one column. */
export interface PersonalData {
  /**
   * Decrypts data that was read with its key (`keyOfSubject`).
   *
   * @returns null if there is no data, or if its key was destroyed
   * @throws DecryptionError
   */
  readonly decrypt: <T extends object>(
    executor: Executor,
    read: Subject & { readonly data: PersonalColumn<T>; readonly key_encrypted: Buffer | null },
  ) => Promise<T | null>
  /**
   * Encrypts data for parameters of type jsonb, in the order of the input. The transaction stores the keys that are missing. It must have
   * locked the subjects, so that none of them is deleted in the meantime.
   */
  readonly encrypt: (
    trx: Knex.Transaction,
    values: readonly (Subject & { readonly data: object | null })[],
  ) => Promise<(string | null)[]>
}

/** A column with personal data. */
export interface PersonalDataColumn {
  readonly table: string
  readonly column: string
  /** Makes the data shorter before it is encrypted, because nothing compresses it afterwards. */
  readonly shortForm?: {
    readonly shorten: (data: object) => object
    /** Restores exactly what was shortened. */
    readonly restore: (short: object) => object
  }
}

interface PersonalDataOptions {
  readonly encryptor: Pick<Encryptor, 'encrypt' | 'decrypt' | 'reportFailure'>
  /** Whether data is encrypted when it is written. Either way, both forms can be read. */
  readonly encrypts: boolean
}

const sameForm = (data: object) => data

export function createPersonalData(
  { table, column, shortForm = { shorten: sameForm, restore: sameForm } }: PersonalDataColumn,
  { encryptor, encrypts }: PersonalDataOptions,
): PersonalData {
  const name = `${table}.${column}`
  const contextOf = ({ site, subject }: Subject): EncryptionContext => [name, site, subject]
  const createKey = (subject: Subject) =>
    encryptor.encrypt(randomBytes(keyBytes).toString('base64'), keyContextOf(subject))
  const decryptKey = async (subject: Subject, encrypted: Buffer): Promise<KeyObject> =>
    createSecretKey(await encryptor.decrypt(encrypted, keyContextOf(subject)), 'base64')

  return {
    async decrypt<T extends object>(
      executor: Executor,
      read: Subject & { readonly data: PersonalColumn<T>; readonly key_encrypted: Buffer | null },
    ) {
      const { site, subject, data } = read
      if (typeof data !== 'string') return data
      // A statement that waited for a lock does not see a key that was created with the row which it returns.
      const keyEncrypted = read.key_encrypted ?? (await listKeys(executor, [read])).get(nameOf(read))
      if (keyEncrypted === undefined) return null
      const key = await decryptKey({ site, subject }, keyEncrypted)
      try {
        const text = decryptText(Buffer.from(data, 'base64'), key, contextOf(read))
        // Only `encrypt` writes such a string.
        return text === undefined ? null : (shortForm.restore(JSON.parse(text)) as T)
      } catch (error) {
        if (error instanceof DecryptionError) encryptor.reportFailure(error, contextOf(read))
        throw error
      }
    },
    async encrypt(trx, values) {
      if (!encrypts) return values.map(({ data }) => data && JSON.stringify(data))
      const keys = await ensureKeys(
        trx,
        values.filter(({ data }) => data !== null),
        createKey,
      )
      const encryptOne = async ({ data, ...subject }: (typeof values)[number]) => {
        if (data === null) return null
        const keyEncrypted = keys.get(nameOf(subject))
        if (keyEncrypted === undefined) throw new Error('The key of personal data is missing after its insert.')
        const key = await decryptKey(subject, keyEncrypted)
        const text = JSON.stringify(shortForm.shorten(data))
        return JSON.stringify(encryptText(text, key, contextOf(subject)).toString('base64'))
      }
      return Promise.all(values.map(encryptOne))
    },
  }
}
