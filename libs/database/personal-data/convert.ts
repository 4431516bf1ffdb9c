import type { Knex } from 'knex'
import { DecryptionError, type EncryptionContext } from '#runtime'
import type { CheckResult } from '../encryption/check.ts'
import type { EncryptionBase } from '../encryption/reencrypt.ts'
import { transaction } from '../transaction.ts'
import { createPersonalData, type PersonalColumn, type PersonalDataColumn } from './personal-data.ts'

/** A table with a column of personal data. A deletion must change the row first, and destroy its key afterwards. */
export interface PersonalTable extends PersonalDataColumn {
  /** The primary key, besides `site`. */
  readonly key: string
  readonly keyType: 'text' | 'uuid' | 'bigint'
  /** The column with the subject. */
  readonly subject: string
}

interface PersonalRow {
  readonly key: string | number
  readonly subject: string
  readonly data: PersonalColumn<object>
  readonly key_encrypted: Buffer | null
}

/** Rows of one transaction, for which changes of their users wait. Our choice. */
const batchSize = 200

/**
 * Encrypts or decrypts the data that is stored in the other form, while the service goes on. An interrupted run can be continued:
 * data that has the form already is skipped.
 *
 * @param onProgress called after each batch with the number of values so far
 */
export async function convertPersonalData(
  base: EncryptionBase & { readonly encrypts: boolean },
  table: PersonalTable,
  onProgress: (converted: number) => void,
): Promise<number> {
  let converted = 0
  for (const site of await listSites(base.knex, table)) {
    for (let after: PersonalRow['key'] | undefined; ; ) {
      const batch = await transaction(base.knex, (trx) => convertBatch(trx, base, table, { site, after }))
      if (batch.last === undefined) break
      after = batch.last
      converted += batch.converted
      onProgress(converted)
    }
  }
  return converted
}

async function convertBatch(
  trx: Knex.Transaction,
  { encryptor, encrypts }: EncryptionBase & { readonly encrypts: boolean },
  table: PersonalTable,
  { site, after }: { readonly site: number; readonly after: PersonalRow['key'] | undefined },
): Promise<{ readonly last: PersonalRow['key'] | undefined; readonly converted: number }> {
  const personalData = createPersonalData(table, { encryptor, encrypts })
  const isEncrypted = !encrypts
  // Locked, so that no other transaction changes or deletes the data in the meantime.
  const rows = await selectRows(trx, table, { site, after, isEncrypted, forUpdate: true })
  const values: { readonly key: PersonalRow['key']; readonly subject: string; readonly data: object }[] = []
  for (const { key, subject, data, key_encrypted } of rows) {
    const decrypted = await personalData.decrypt(trx, { site, subject, data, key_encrypted })
    if (decrypted !== null) values.push({ key, subject, data: decrypted })
  }
  const written = await personalData.encrypt(
    trx,
    values.map(({ subject, data }) => ({ site, subject, data })),
  )
  await trx.raw(
    `update ?? set ?? = given.data from unnest(?::${table.keyType}[], ?::jsonb[]) as given (key, data)
     where ??.site = ? and ?? = given.key`,
    [
      table.table,
      table.column,
      values.map(({ key }) => String(key)),
      written.map(String),
      table.table,
      site,
      `${table.table}.${table.key}`,
    ],
  )
  return { last: rows.at(-1)?.key, converted: values.length }
}

/** Decrypts all encrypted data of a table and changes nothing. */
export async function checkPersonalData(
  { knex, encryptor }: EncryptionBase,
  table: PersonalTable,
): Promise<CheckResult> {
  const name = `${table.table}.${table.column}`
  const personalData = createPersonalData(table, { encryptor, encrypts: true })
  const broken: { context: EncryptionContext; reason: string }[] = []
  let opened = 0
  for (const site of await listSites(knex, table)) {
    for (let after: PersonalRow['key'] | undefined; ; ) {
      const rows = await selectRows(knex, table, { site, after, isEncrypted: true })
      after = rows.at(-1)?.key
      if (after === undefined) break
      for (const { subject, data, key_encrypted } of rows) {
        try {
          if ((await personalData.decrypt(knex, { site, subject, data, key_encrypted })) !== null) opened++
        } catch (error) {
          if (!(error instanceof DecryptionError)) throw error
          broken.push({ context: [name, site, subject], reason: error.message })
        }
      }
    }
  }
  return { table: name, opened, broken }
}

interface RowSelection {
  readonly site: number
  readonly after: PersonalRow['key'] | undefined
  readonly isEncrypted: boolean
  /** Locks the rows until the transaction ends. */
  readonly forUpdate?: true
}

/** The next rows of a site whose data is encrypted or not, in the order of their keys. Empty data is never encrypted. */
async function selectRows(
  knex: Knex,
  { table, column, key, subject }: PersonalTable,
  { site, after, isEncrypted, forUpdate }: RowSelection,
): Promise<PersonalRow[]> {
  const query = knex(table)
    .where(`${table}.site`, site)
    .orderBy(key)
    .limit(batchSize)
    .select({ key, subject: knex.raw('??::text', [subject]), data: column })
    .select(
      knex.raw(
        '(select key_encrypted from personal_keys k where k.site = ? and k.subject = ??::text) as key_encrypted',
        [site, `${table}.${subject}`],
      ),
    )
  if (isEncrypted) query.whereRaw(`jsonb_typeof(??) = 'string'`, [column])
  else query.whereRaw(`jsonb_typeof(??) = 'object' and ?? <> '{}'`, [column, column])
  if (after !== undefined) query.where(key, '>', after)
  if (forUpdate) query.forUpdate(table)
  const rows: PersonalRow[] = await query
  return rows
}

/** The sites with rows; a distributed database locks rows of one site at a time. */
async function listSites(knex: Knex, { table }: PersonalTable): Promise<number[]> {
  return knex(table).distinct('site').orderBy('site').pluck('site')
}
