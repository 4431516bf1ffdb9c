import type { Knex } from 'knex'
import type { EncryptionContext } from '#runtime'

/** A table with long-lived encrypted values: its nullable columns and their encryption contexts. */
export interface EncryptedTable<Key extends object> {
  readonly table: string
  /** The primary key's columns. */
  readonly key: readonly (keyof Key & string)[]
  readonly columns: readonly string[]
  readonly encryptionContextOf: (key: Key, column: string) => EncryptionContext
}

/** A row's encrypted values, by column. */
export interface EncryptedRow<Key> {
  readonly key: Key
  readonly values: ReadonlyMap<string, Buffer>
}

/**
 * Lists rows with a value that does not begin with `head`, ordered by primary key, with only those values.
 *
 * @param range the row of this key, or up to `limit` rows after a key
 */
export async function listStaleRows<Key extends object>(
  knex: Knex,
  { table, key, columns }: EncryptedTable<Key>,
  head: Buffer,
  range: { readonly at: Key } | { readonly after: Key | undefined; readonly limit: number },
): Promise<EncryptedRow<Key>[]> {
  const query = knex(table)
    .select(...key, ...columns)
    .orderBy([...key])
    .where((any) => {
      for (const column of columns) any.orWhereRaw('substring(?? from 1 for ?) <> ?', [column, head.length, head])
    })
  if ('at' in range) query.where(range.at)
  else {
    query.limit(range.limit)
    const { after } = range
    const marks = (mark: string) => key.map(() => mark).join(', ')
    if (after !== undefined)
      query.whereRaw(`(${marks('??')}) > (${marks('?')})`, [...key, ...key.map((column) => String(after[column]))])
  }
  const rows: Readonly<Record<string, unknown>>[] = await query
  return rows.map((row) => {
    const values = columns.flatMap((column): [string, Buffer][] => {
      const value = row[column]
      return Buffer.isBuffer(value) && !value.subarray(0, head.length).equals(head) ? [[column, value]] : []
    })
    // The primary key's columns, as `key` lists them.
    return { key: Object.fromEntries(key.map((column) => [column, row[column]])) as Key, values: new Map(values) }
  })
}

/** Rows per batch. Our choice. */
export const batchSize = 200

/** No encrypted value begins like this, so every value matches. */
const impossibleHead = Buffer.from([0])

/** Iterates over all rows with their encrypted values, ordered by primary key; each batch is read when it is needed. */
export async function* listRows<Key extends object>(
  knex: Knex,
  table: EncryptedTable<Key>,
): AsyncGenerator<EncryptedRow<Key>> {
  for (let after: Key | undefined; ; ) {
    const rows = await listStaleRows(knex, table, impossibleHead, { after, limit: batchSize })
    yield* rows
    after = rows.at(-1)?.key
    if (after === undefined) return
  }
}

/** Replaces values of a row if they have not changed. Returns whether it did. */
export async function replaceValues<Key extends object>(
  knex: Knex,
  { table }: EncryptedTable<Key>,
  { key, values }: EncryptedRow<Key>,
  reencrypted: ReadonlyMap<string, Buffer>,
): Promise<boolean> {
  const stale = [...reencrypted.keys()].map((column) => [column, values.get(column)])
  const replaced = await knex(table)
    .where({ ...key, ...Object.fromEntries(stale) })
    .update(Object.fromEntries(reencrypted))
  return replaced === 1
}

/** How many values of one column a key of the ring encrypts. */
export interface EncryptionKeyUsage {
  readonly key_id: string
  /** Column of the database, or the table of an `EncryptedText`. */
  readonly stored_in: string
  readonly values: number
}

/** Encrypted values of short life as base64 in a column of type jsonb. */
export interface EncryptedText {
  readonly table: string
  /** SQL of the base64; null if the row is not encrypted. */
  readonly base64: string
}

/** SQL of the begin of the value. 48 base64 digits are 36 bytes, which contain the longest key ID. */
export function beginOf({ base64 }: EncryptedText): string {
  return `decode(left(${base64}, 48), 'base64')`
}

/** Counts values by key of the ring. Values that are too short to contain a key ID are left out. */
export async function countKeyUsage(
  knex: Knex,
  tables: readonly ColumnsOf[],
  texts: readonly EncryptedText[],
): Promise<EncryptionKeyUsage[]> {
  const columns = tables.flatMap(({ table, columns }) =>
    columns.map((column) =>
      knex.select(knex.raw('? as stored_in', [`${table}.${column}`]), { value: column }).from(table),
    ),
  )
  const sources = [
    ...columns,
    ...texts.map((text) =>
      knex.select(knex.raw('? as stored_in', [text.table]), knex.raw(`${beginOf(text)} as value`)).from(text.table),
    ),
  ]
  const { rows } = await knex.raw<{ rows: (Omit<EncryptionKeyUsage, 'key_id'> & { readonly key_id: Buffer })[] }>(
    `select stored_in, key_id, count(*)::integer as values
     from (
       select stored_in, case when length(value) > 2 then substring(value from 3 for get_byte(value, 1)) end as key_id
       from (${sources.map(() => '?').join(' union all ')}) as stored
     ) as encrypted
     where key_id is not null group by stored_in, key_id order by key_id, stored_in`,
    sources,
  )
  return rows.map((row) => ({ ...row, key_id: row.key_id.toString('latin1') }))
}
type ColumnsOf = Pick<EncryptedTable<never>, 'table' | 'columns'>

/** A condition for rows whose column is encrypted with a key of the ring, in any format version. */
export function encryptedUnder(knex: Knex, column: string | EncryptedText, keyId: string): Knex.Raw {
  const named = Buffer.concat([Buffer.from([keyId.length]), Buffer.from(keyId, 'latin1')])
  const value = knex.raw(
    typeof column === 'string' ? '??' : beginOf(column),
    typeof column === 'string' ? [column] : [],
  )
  return knex.raw('substring(? from 2 for ?) = ?', [value, named.length, named])
}
