import type { Knex } from 'knex'
import { Fault } from '#contracts'
import type { Encryptor } from '#runtime'
import type { EncryptedText } from '../encryption/encrypted-values.ts'
import { type CopyKeys, createCopyKeys } from './envelope.ts'

/** The private keys of copies, for `encryption`: they are deleted when the site is opened. */
export const encryptedCopyKeys: EncryptedText = { table: 'site_copies', base64: 'private_key' }

export const copyKeysExpiry = ' (deleted when the site has moved)'

/** Creates the tables of the copies of sites. */
export async function createCopies(knex: Knex): Promise<void> {
  await knex.raw(`
        -- What of a site that moves here was copied: the rows whose keys are after one key and up to another, as JSON.
        create table site_copy_ranges (
          site integer not null,
          table_name text collate "C" not null,
          after text collate "C" not null,
          upto text collate "C",
          -- Of the rows in the other cell; null: to be copied.
          digest text,
          constraint site_copy_ranges_pk primary key (site, table_name, after)
        );
        -- The sites that move here, with the keys for which the other cell encrypts their rows.
        create table site_copies (
          site integer constraint site_copies_pk primary key,
          public_key text not null,
          private_key text not null
        )`)
}

type Values = Pick<Encryptor, 'encrypt' | 'decrypt'>

/** Records that a site arrives, with a new pair of keys. @returns the public key, also of an earlier call */
export async function insertCopy(knex: Knex, site: number, encryptor: Values | undefined): Promise<string> {
  const { public_key, private_key } = createCopyKeys()
  const stored =
    encryptor === undefined ? private_key : encryptor.encrypt(private_key, contextOf(site)).toString('base64')
  await knex('site_copies').insert({ site, public_key, private_key: stored }).onConflict('site').ignore()
  const row: Pick<CopyKeys, 'public_key'> | undefined = await knex('site_copies').where({ site }).first('public_key')
  if (row === undefined) throw new Fault('entity_not_found')
  return row.public_key
}

/** Locks the copy of a site until the transaction ends. @throws Fault `entity_not_found` if no copy of it is open */
export async function lockCopy(trx: Knex.Transaction, site: number, encryptor: Values | undefined): Promise<string> {
  const row: Pick<CopyKeys, 'private_key'> | undefined = await trx('site_copies')
    .where({ site })
    .forUpdate()
    .first('private_key')
  if (row === undefined) throw new Fault('entity_not_found')
  const { private_key } = row
  return encryptor === undefined ? private_key : encryptor.decrypt(Buffer.from(private_key, 'base64'), contextOf(site))
}

/** Ends the copy of a site: what arrives late is rejected. */
export async function deleteCopy(trx: Knex.Transaction, site: number): Promise<void> {
  await trx('site_copies').where({ site }).delete()
  await trx('site_copy_ranges').where({ site }).delete()
}

function contextOf(site: number) {
  return ['site_copies', site]
}
