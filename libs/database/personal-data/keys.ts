import type { Knex } from 'knex'
import type { EncryptionContext } from '#runtime'
import { type EncryptedTable, encryptedUnder } from '../encryption/encrypted-values.ts'
import { defineStatement, type Executor } from '../statement.ts'

/** SQL of the table of keys, for a migration of each service that stores personal data. */
export const personalKeysTable = `
      -- The key of the personal data of a user or a link, encrypted with the key ring. Data whose key was destroyed
      -- cannot be read, in backups of the data neither.
      create table personal_keys (
        site integer not null,
        -- The identifier of a user, or the ID of a link.
        subject text collate "C" not null,
        key_encrypted bytea not null,
        constraint personal_keys_pk primary key (site, subject)
      );`

/** SQL of the key of a subject, for a select that reads its data as well. @param subject an expression of type text */
export function keyOfSubject(subject: string): string {
  return `(select key_encrypted from personal_keys k where k.site = $1 and k.subject = ${subject}) as key_encrypted`
}

/** A user or a link, about which data is stored. */
export interface Subject {
  readonly site: number
  /** The identifier of a user, or the ID of a link. */
  readonly subject: string
}

export function keyContextOf({ site, subject }: Subject): EncryptionContext {
  return ['personal_keys', site, subject]
}

/** The table of keys, for the operators' command. */
export const encryptedPersonalKeys: EncryptedTable<Subject> = {
  table: 'personal_keys',
  key: ['site', 'subject'],
  columns: ['key_encrypted'],
  encryptionContextOf: keyContextOf,
}

type KeyRow = Subject & { readonly key_encrypted: Buffer }

// Citus sends a statement to one node if it names one site.
const selectKeysOfSite = defineStatement<KeyRow>(
  'select site, subject, key_encrypted from personal_keys where site = $1 and subject = any($2)',
)
const selectKeys = defineStatement<KeyRow>(
  `select site, subject, key_encrypted from personal_keys
   where (site, subject) in (select * from unnest($1::integer[], $2::text[]))`,
)
const insertKeys = defineStatement<KeyRow>(
  `insert into personal_keys (site, subject, key_encrypted)
   select * from unnest($1::integer[], $2::text[], $3::bytea[]) as given (site, subject, key_encrypted) order by site, subject
   on conflict do nothing
   returning site, subject, key_encrypted`,
)
const deleteKeys = defineStatement('delete from personal_keys where site = $1 and subject = any($2)')

/** Names a subject in a map. */
export function nameOf({ site, subject }: Subject): string {
  return `${site} ${subject}`
}

/** The encrypted keys of subjects that have one, by `nameOf`. */
export async function listKeys(executor: Executor, subjects: readonly Subject[]): Promise<Map<string, Buffer>> {
  const [sites, names] = [subjects.map(({ site }) => site), subjects.map(({ subject }) => subject)]
  const [site] = sites
  const isOfOneSite = sites.every((other) => other === site)
  const { rows } = await (isOfOneSite
    ? selectKeysOfSite(executor, [site, names])
    : selectKeys(executor, [sites, names]))
  return new Map(rows.map((row) => [nameOf(row), row.key_encrypted]))
}

/** The encrypted keys of subjects, by `nameOf`; missing ones are created. */
export async function ensureKeys(
  trx: Knex.Transaction,
  subjects: readonly Subject[],
  createKey: (subject: Subject) => Buffer,
): Promise<ReadonlyMap<string, Buffer>> {
  if (subjects.length === 0) return new Map()
  const keys = await listKeys(trx, subjects)
  const withoutKey = new Map(subjects.filter((subject) => !keys.has(nameOf(subject))).map((one) => [nameOf(one), one]))
  if (withoutKey.size === 0) return keys
  const created = [...withoutKey.values()].map((subject) => ({ ...subject, key_encrypted: createKey(subject) }))
  const { rows } = await insertKeys(trx, [
    created.map(({ site }) => site),
    created.map(({ subject }) => subject),
    created.map(({ key_encrypted }) => key_encrypted),
  ])
  for (const row of rows) keys.set(nameOf(row), row.key_encrypted)
  // A concurrent conversion of stored data created the others.
  return rows.length === created.length ? keys : listKeys(trx, subjects)
}

/** Destroys the keys of locked subjects whose data was deleted, so that it is forgotten in backups of the data as well. */
export async function destroyPersonalKeys(
  trx: Knex.Transaction,
  site: number,
  subjects: readonly string[],
): Promise<void> {
  if (subjects.length > 0) await deleteKeys(trx, [site, subjects])
}

/** Destroys the keys that a permanently lost key of the ring encrypts; their data is lost. @returns how many */
export async function discardPersonalKeys(knex: Knex, keyId: string): Promise<number> {
  return knex('personal_keys')
    .where(encryptedUnder(knex, 'key_encrypted', keyId))
    .delete()
}
