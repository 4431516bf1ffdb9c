import type { Knex } from 'knex'
import type { Encryptor } from '#runtime'
import type { EncryptedTable } from '../encryption/encrypted-values.ts'
import type { PersonalTable } from '../personal-data/convert.ts'
import type { PersonalData } from '../personal-data/personal-data.ts'
import type { TextRow } from './columns.ts'

/** The encrypted columns of a table. They are bound to the site and to keys of the cell, so each cell encrypts them itself. */
export interface CopiedSecrets {
  readonly table: string
  /** @throws DecryptionError if a value cannot be decrypted */
  readonly decrypt: (knex: Knex, site: number, rows: readonly TextRow[]) => Promise<TextRow[]>
  readonly encrypt: (trx: Knex.Transaction, site: number, rows: readonly TextRow[]) => Promise<TextRow[]>
  /** The personal data of the table, whose keys are destroyed with the last row of a subject. */
  readonly personal?: PersonalTable
}

/** @param toKey the columns that the encryption context contains, with their types */
export function copiedValues<Key extends object>(
  { table, columns, encryptionContextOf }: Pick<EncryptedTable<Key>, 'table' | 'columns' | 'encryptionContextOf'>,
  encryptor: Pick<Encryptor, 'encrypt' | 'decrypt'>,
  toKey: (row: TextRow, site: number) => Key,
): CopiedSecrets {
  const convert = async (
    rows: readonly TextRow[],
    site: number,
    convertValue: (value: string, context: ReturnType<typeof encryptionContextOf>) => Promise<string> | string,
  ) =>
    Promise.all(
      rows.map(async (row) => {
        const values = columns.map(async (column): Promise<[string, string | null]> => {
          const value = row[column] ?? null
          return [
            column,
            value === null ? null : await convertValue(value, encryptionContextOf(toKey(row, site), column)),
          ]
        })
        return { ...row, ...Object.fromEntries(await Promise.all(values)) }
      }),
    )
  return {
    table,
    decrypt: (_, site, rows) =>
      convert(rows, site, (value, context) => encryptor.decrypt(Buffer.from(value.slice(2), 'hex'), context)),
    encrypt: (_, site, rows) =>
      convert(rows, site, (value, context) => `\\x${encryptor.encrypt(value, context).toString('hex')}`),
  }
}

/** The personal data of a column of type jsonb. */
export function copiedPersonalData(personal: PersonalTable, data: PersonalData): CopiedSecrets {
  const { table, column, subject } = personal
  return {
    table,
    personal,
    decrypt: (knex, site, rows) =>
      Promise.all(
        rows.map(async (row) => {
          const value = row[column] ?? null
          const read = { site, subject: row[subject] ?? '', data: value && JSON.parse(value), key_encrypted: null }
          const decrypted = await data.decrypt(knex, read)
          return { ...row, [column]: decrypted && JSON.stringify(decrypted) }
        }),
      ),
    async encrypt(trx, site, rows) {
      const values = rows.map((row) => {
        const value = row[column] ?? null
        return { site, subject: row[subject] ?? '', data: value && JSON.parse(value) }
      })
      const encrypted = await data.encrypt(trx, values)
      return rows.map((row, place) => ({ ...row, [column]: encrypted[place] ?? null }))
    },
  }
}

/** Destroys the keys of subjects whose last row with personal data was deleted or emptied. */
export async function destroyUnusedKeys(
  trx: Knex.Transaction,
  site: number,
  subjects: readonly string[],
  tables: readonly PersonalTable[],
): Promise<void> {
  if (subjects.length === 0) return
  const unused = tables.map(
    ({ table, column, subject }) =>
      `and not exists (select from ${table} d where d.site = k.site and d.${subject}::text = k.subject and d.${column} is not null)`,
  )
  await trx.raw(`delete from personal_keys k where k.site = ? and k.subject = any(?) ${unused.join(' ')}`, [
    site,
    [...subjects],
  ])
}
