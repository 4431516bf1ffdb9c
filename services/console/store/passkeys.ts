import type { Knex } from 'knex'

export interface StoredPasskey {
  /** The credential's id, base64url. */
  readonly passkey_id: string
  readonly member_id: string
  readonly name: string
  /** COSE key, as the library encodes it. */
  readonly public_key: Buffer
  readonly counter: number
  readonly transports: string[]
  readonly created_at: Date
  readonly last_used_at: Date | null
}

export async function findPasskey(knex: Knex, passkeyId: string): Promise<StoredPasskey | undefined> {
  return knex('passkeys').where({ passkey_id: passkeyId }).first<StoredPasskey | undefined>()
}

export async function listPasskeys(knex: Knex, memberId: string): Promise<StoredPasskey[]> {
  return knex('passkeys').where({ member_id: memberId }).orderBy('created_at').select<StoredPasskey[]>()
}

/** @returns false if the credential is registered already */
export async function insertPasskey(
  trx: Knex.Transaction,
  passkey: Omit<StoredPasskey, 'last_used_at'>,
): Promise<boolean> {
  const inserted = await trx('passkeys').insert(passkey).onConflict('passkey_id').ignore().returning('passkey_id')
  return inserted.length > 0
}

/** Records the use. @returns false if a higher counter was recorded meanwhile, which means that the passkey was copied */
export async function updateCounter(
  knex: Knex,
  { passkey_id, counter, now }: { passkey_id: string; counter: number; now: Date },
): Promise<boolean> {
  const updated = await knex('passkeys')
    .where({ passkey_id })
    // Many authenticators do not count and send 0 (Web Authentication Level 3, 6.1.1).
    .where((query) => query.where('counter', '<', counter).orWhere({ counter: 0 }))
    .update({ counter, last_used_at: now })
  return updated > 0
}

export async function deletePasskey(trx: Knex.Transaction, passkeyId: string): Promise<void> {
  await trx('passkeys').where({ passkey_id: passkeyId }).delete()
}
