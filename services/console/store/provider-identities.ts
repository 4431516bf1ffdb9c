import type { Knex } from 'knex'

/** Identity at the operator's own OpenID provider: issuer and `sub` together (OpenID Connect Core 5.7). */
export interface ProviderIdentity {
  readonly issuer: string
  readonly subject: string
}

export async function findMemberByIdentity(knex: Knex, identity: ProviderIdentity): Promise<string | undefined> {
  const row = await knex('provider_identities')
    .where({ issuer: identity.issuer, subject: identity.subject })
    .first<{ member_id: string } | undefined>('member_id')
  return row?.member_id
}

/** @returns false if a member has this identity already */
export async function insertIdentity(
  trx: Knex.Transaction,
  { issuer, subject, member_id, now }: ProviderIdentity & { member_id: string; now: Date },
): Promise<boolean> {
  const inserted = await trx('provider_identities')
    .insert({ issuer, subject, member_id, created_at: now })
    .onConflict(['issuer', 'subject'])
    .ignore()
    .returning('member_id')
  return inserted.length > 0
}

export async function hasIdentity(
  knex: Knex,
  { member_id, issuer }: Pick<ProviderIdentity, 'issuer'> & { member_id: string },
): Promise<boolean> {
  return (await knex('provider_identities').where({ member_id, issuer }).first('subject')) !== undefined
}
