import type { Knex } from 'knex'
import type { Link, Provider } from '#contracts'
import { translateConstraintErrors } from '#database'
import { toTimestamp } from '#runtime'
import { accountKey, providersOfAccount } from '../domain/provider-accounts.ts'
import type { UserKey } from './users.ts'

/** A person's account at a login provider. */
export interface ProviderAccount {
  readonly provider: Provider
  readonly provider_user_id: string
}

type LinkRow = Omit<Link, 'created_at'> & { readonly created_at: Date }
const linkColumns = ['link_id', 'provider', 'provider_user_id', 'created_at'] as const

function toLink(toRow: LinkRow): Link {
  return { ...toRow, created_at: toTimestamp(toRow.created_at) }
}

/** Keeps others from linking these accounts, linked or not, until the transaction ends. */
export async function lockAccounts(
  trx: Knex.Transaction,
  site: number,
  accounts: readonly ProviderAccount[],
): Promise<void> {
  // In one order, so that two who want several of the same do not wait for each other.
  await trx.raw(
    `select pg_advisory_xact_lock(?, number)
     from (select distinct hashtext(name) as number from unnest(?::text[]) as name order by number) as locks`,
    [site, accounts.map(accountKey)],
  )
}

/** Links of a user, or of several of one site together; oldest first. */
export async function listLinks(knex: Knex, { site, identifier }: UserKey, ...others: UserKey[]): Promise<Link[]> {
  const rows: LinkRow[] = await knex('links')
    .where({ site })
    .whereIn('identifier', [identifier, ...others.map((other) => other.identifier)])
    .orderBy(['created_at', 'provider'])
    .select(linkColumns)
  return rows.map(toLink)
}

/** Whether one of the accounts belongs to a user. */
export async function isAnyLinked(knex: Knex, site: number, accounts: readonly ProviderAccount[]): Promise<boolean> {
  const names = accounts.flatMap(({ provider, provider_user_id }) =>
    providersOfAccount(provider).map((name) => [name, provider_user_id]),
  )
  const row: unknown = await knex('links')
    .where({ site })
    .whereIn(['provider', 'provider_user_id'], names)
    .first('site')
  return row !== undefined
}

/** The user an account belongs to, with the link by this very name if there is one. */
export async function findHolder(
  knex: Knex,
  site: number,
  { provider, provider_user_id }: ProviderAccount,
): Promise<{ identifier: string; link_id: string } | undefined> {
  return knex('links')
    .where({ site, provider_user_id })
    .whereIn('provider', providersOfAccount(provider))
    .orderByRaw('provider = ? desc', [provider])
    .first('identifier', 'link_id')
}

/** Who an account belongs to, and how it is linked. */
export interface Holder {
  readonly identifier: string
  /** The link by this very provider's name if there is one, else by its other name. */
  readonly link_id: string
  readonly linked_as: readonly Provider[]
}

/** The user an account belongs to, kept from other changes until the transaction ends. */
export async function lockHolder(
  trx: Knex.Transaction,
  site: number,
  { provider, provider_user_id }: ProviderAccount,
): Promise<Holder | undefined> {
  // Users before links, as a deletion takes them.
  const { rows } = await trx.raw<{ rows: { identifier: string; link_id: string; provider: Provider }[] }>(
    `select u.identifier, l.link_id, l.provider
     from users u join links l using (site, identifier)
     where l.site = ? and l.provider = any(?) and l.provider_user_id = ?
     for no key update`,
    [site, providersOfAccount(provider), provider_user_id],
  )
  const link = rows.find((row) => row.provider === provider) ?? rows[0]
  return link && { ...link, linked_as: rows.map((row) => row.provider) }
}

/** @throws Fault `invalid_parameter` when an account is linked already or two are of one provider */
export async function insertLinks(
  trx: Knex.Transaction,
  user: UserKey,
  accounts: readonly ProviderAccount[],
  createdAt: Date,
): Promise<Link[]> {
  const inserting = trx('links')
    .insert(accounts.map((account) => row(user, account, createdAt)))
    .returning<LinkRow[]>([...linkColumns])
  const inserted = await translateConstraintErrors(inserting, {
    links_pk: 'invalid_parameter',
    links_one_account_per_provider: 'invalid_parameter',
  })
  return inserted.map(toLink)
}

/**
 * Links one account more of a user, unless the user has another account of the provider.
 *
 * @returns the new link's id
 */
export async function insertLinkUnlessConflict(
  trx: Knex.Transaction,
  user: UserKey,
  account: ProviderAccount,
  createdAt: Date,
): Promise<string | undefined> {
  const [inserted]: { link_id: string }[] = await trx('links')
    .insert(row(user, account, createdAt))
    .onConflict()
    .ignore()
    .returning('link_id')
  return inserted?.link_id
}

/** All links of one user become another's, who has none of their providers. They keep their ids. */
export async function moveLinks(trx: Knex.Transaction, from: UserKey, to: UserKey): Promise<void> {
  const { site, identifier } = from
  await trx('links').where({ site, identifier }).update({ identifier: to.identifier })
}

/** @returns the ids of what was removed */
export async function deleteLinkRows(
  trx: Knex.Transaction,
  { site, identifier }: UserKey,
  providers: readonly Provider[],
): Promise<string[]> {
  const removed: { link_id: string }[] = await trx('links')
    .where({ site, identifier })
    .whereIn('provider', providers)
    .delete()
    .returning('link_id')
  return removed.map(({ link_id }) => link_id)
}

function row({ site, identifier }: UserKey, { provider, provider_user_id }: ProviderAccount, createdAt: Date) {
  return { site, identifier, provider, provider_user_id, created_at: createdAt }
}
