import type { Knex } from 'knex'
import type { Link, Provider } from '#contracts'
import { refuseConflicts } from '#database'
import { toTimestamp } from '#runtime'
import { accountName, providersOfAccount } from '../domain/accounts.ts'
import type { UserKey } from './users.ts'

/** A person's account at a login provider. */
export interface Account {
  readonly provider: Provider
  readonly provider_user_id: string
}

/** Keeps others from linking these accounts, linked or not, until the transaction ends. */
export async function lockAccounts(trx: Knex.Transaction, site: number, accounts: readonly Account[]): Promise<void> {
  // In one order, so that two who want several of the same do not wait for each other.
  await trx.raw(
    `select pg_advisory_xact_lock(?, number)
     from (select distinct hashtext(name) as number from unnest(?::text[]) as name order by number) as locks`,
    [site, accounts.map(accountName)],
  )
}

/** Links of a user, or of several of one site together; oldest first. */
export async function listLinks(knex: Knex, { site, identifier }: UserKey, ...others: UserKey[]): Promise<Link[]> {
  const rows: (Account & { readonly created_at: Date })[] = await knex('links')
    .where({ site })
    .whereIn('identifier', [identifier, ...others.map((other) => other.identifier)])
    .orderBy(['created_at', 'provider'])
    .select('provider', 'provider_user_id', 'created_at')
  return rows.map((row) => ({ ...row, created_at: toTimestamp(row.created_at) }))
}

/** Whether one of the accounts belongs to a user. */
export async function anyLinked(knex: Knex, site: number, accounts: readonly Account[]): Promise<boolean> {
  const names = accounts.flatMap(({ provider, provider_user_id }) =>
    providersOfAccount(provider).map((name) => [name, provider_user_id]),
  )
  const row: unknown = await knex('links')
    .where({ site })
    .whereIn(['provider', 'provider_user_id'], names)
    .first('site')
  return row !== undefined
}

/** The user an account belongs to. */
export async function findHolder(
  knex: Knex,
  site: number,
  { provider, provider_user_id }: Account,
): Promise<string | undefined> {
  const row: { readonly identifier: string } | undefined = await knex('links')
    .where({ site, provider_user_id })
    .whereIn('provider', providersOfAccount(provider))
    .first('identifier')
  return row?.identifier
}

/** The user an account belongs to, kept from other changes until the transaction ends, and the names it is linked by. */
export async function lockHolder(
  trx: Knex.Transaction,
  site: number,
  { provider, provider_user_id }: Account,
): Promise<{ identifier: string; linked_as: Provider[] } | undefined> {
  // Users before links, as a deletion takes them.
  const { rows } = await trx.raw<{ rows: { identifier: string; provider: Provider }[] }>(
    `select u.identifier, l.provider
     from users u join links l using (site, identifier)
     where l.site = ? and l.provider = any(?) and l.provider_user_id = ?
     for no key update`,
    [site, providersOfAccount(provider), provider_user_id],
  )
  const [first] = rows
  return first && { identifier: first.identifier, linked_as: rows.map((row) => row.provider) }
}

/** @throws Fault `invalid_parameter` when an account is linked already or two are of one provider */
export async function insertLinks(
  trx: Knex.Transaction,
  user: UserKey,
  accounts: readonly Account[],
  created_at: Date,
): Promise<Link[]> {
  const inserting = trx('links').insert(accounts.map((account) => row(user, account, created_at)))
  await refuseConflicts(inserting, {
    links_pk: 'invalid_parameter',
    links_one_account_per_provider: 'invalid_parameter',
  })
  return accounts.map((account) => ({ ...account, created_at: toTimestamp(created_at) }))
}

/** Links one account more of a user, unless the user has another account of the provider. */
export async function insertLinkUnlessOther(
  trx: Knex.Transaction,
  user: UserKey,
  account: Account,
  created_at: Date,
): Promise<void> {
  await trx('links')
    .insert(row(user, account, created_at))
    .onConflict()
    .ignore()
}

/** All links of one user become another's, who has none of their providers. */
export async function moveLinks(trx: Knex.Transaction, from: UserKey, to: UserKey): Promise<void> {
  const { site, identifier } = from
  await trx('links').where({ site, identifier }).update({ identifier: to.identifier })
}

export async function removeLinks(
  trx: Knex.Transaction,
  { site, identifier }: UserKey,
  providers: readonly Provider[],
): Promise<void> {
  await trx('links').where({ site, identifier }).whereIn('provider', providers).delete()
}

function row({ site, identifier }: UserKey, { provider, provider_user_id }: Account, created_at: Date) {
  return { site, identifier, provider, provider_user_id, created_at }
}
