import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'

/**
 * Identity at the OpenID Provider of an account. The account is part of it: another account with the same provider, or with one that
 * states the same issuer, has other members.
 */
export interface AccountIdentity {
  readonly account: string
  readonly issuer: string
  readonly subject: string
}

export async function findMemberOfAccountIdentity(
  knex: Knex,
  { account, issuer, subject }: AccountIdentity,
): Promise<string | undefined> {
  const row = await knex('account_identities')
    .where({ account, issuer, subject })
    .first<{ member_id: string } | undefined>('member_id')
  return row?.member_id
}

/** Creates a member that the account's provider manages. Sign-ins of the account are locked. @returns the member's ID */
export async function insertManagedMember(
  trx: Knex.Transaction,
  { account, issuer, subject, name, now }: AccountIdentity & { readonly name: string; readonly now: Date },
): Promise<string> {
  const memberId = randomUUID()
  await trx('members').insert({ member_id: memberId, name, operator: false, managed_by: account, created_at: now })
  await trx('account_identities').insert({ account, issuer, subject, member_id: memberId, last_signed_in_at: now })
  return memberId
}

/** Stores that the member signed in at the provider, and the name that it sent. */
export async function updateManagedMember(
  trx: Knex.Transaction,
  {
    account,
    issuer,
    subject,
    member_id,
    name,
    now,
  }: AccountIdentity & {
    readonly member_id: string
    readonly name: string
    readonly now: Date
  },
): Promise<void> {
  await trx('members').where({ member_id }).whereNot({ name }).update({ name })
  await trx('account_identities').where({ account, issuer, subject }).update({ last_signed_in_at: now })
}

/** The account whose provider manages a member; null: none. */
export async function findManagingAccount(knex: Knex, memberId: string): Promise<string | null> {
  const row = await knex('members')
    .where({ member_id: memberId })
    .first<{ managed_by: string | null } | undefined>('managed_by')
  return row?.managed_by ?? null
}

/** Members with the role of owner in the account who have signed in at an issuer. */
export async function listOwnersByProvider(
  knex: Knex,
  { account, issuer }: Pick<AccountIdentity, 'account' | 'issuer'>,
): Promise<string[]> {
  const rows: { member_id: string }[] = await knex('account_identities')
    .where({ account, issuer })
    .whereIn('member_id', knex('member_roles').where({ account, role: 'owner' }).select('member_id'))
    .distinct('member_id')
  return rows.map(({ member_id }) => member_id)
}

/** Ends the sessions of the members that the account's provider manages. */
export async function deleteManagedSessions(trx: Knex.Transaction, account: string): Promise<void> {
  await trx('sessions')
    .whereIn('member_id', trx('members').where({ managed_by: account }).select('member_id'))
    .delete()
}
