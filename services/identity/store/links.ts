import type { Knex } from 'knex'
import type { Link, Provider } from '#contracts'
import { defineStatement, translateConstraintErrors } from '#database'
import { toTimestamp } from '#runtime'
import { accountKey, providersOfAccount } from '../domain/provider-accounts.ts'
import type { UserKey } from './users.ts'

/** An end user's account at a login provider. */
export interface ProviderAccount {
  readonly provider: Provider
  readonly provider_user_id: string
}

type LinkRow = Omit<Link, 'created_at'> & { readonly created_at: Date }
const linkColumns = ['link_id', 'provider', 'provider_user_id', 'created_at'] as const

function toLink(toRow: LinkRow): Link {
  return { ...toRow, created_at: toTimestamp(toRow.created_at) }
}

// In a fixed order, to avoid deadlocks.
const lockEach = defineStatement(
  `select pg_advisory_xact_lock($1, number)
   from (select distinct hashtext(name) as number from unnest($2::text[]) as name order by number) as locks`,
)

/** Locks accounts against linking until the transaction ends, whether linked or not. */
export async function lockAccounts(
  trx: Knex.Transaction,
  site: number,
  accounts: readonly ProviderAccount[],
): Promise<void> {
  await lockEach(trx, [site, accounts.map(accountKey)])
}

const selectLinks = defineStatement<LinkRow>(
  `select ${linkColumns.join()} from links where site = $1 and identifier = any($2) order by created_at, provider`,
)

/** The links of one or several users of a site, oldest first. */
export async function listLinks(knex: Knex, { site, identifier }: UserKey, ...others: UserKey[]): Promise<Link[]> {
  const identifiers = [identifier, ...others.map((other) => other.identifier)]
  return (await selectLinks(knex, [site, identifiers])).rows.map(toLink)
}

const selectProviderLinked = defineStatement(`select from links where site = $1 and provider = $2 limit 1`)

/** Whether a user of the site has an account of the provider. */
export async function isLinked(
  knex: Knex,
  { site, provider }: { readonly site: number; readonly provider: Provider },
): Promise<boolean> {
  return (await selectProviderLinked(knex, [site, provider])).rowCount === 1
}

const selectLinked = defineStatement(
  `select from links
   where site = $1 and (provider, provider_user_id) in (select * from unnest($2::text[], $3::text[])) limit 1`,
)

/** Whether any of the accounts is linked. */
export async function isAnyLinked(knex: Knex, site: number, accounts: readonly ProviderAccount[]): Promise<boolean> {
  const names = accounts.flatMap(({ provider, provider_user_id }) =>
    providersOfAccount(provider).map((name) => ({ name, provider_user_id })),
  )
  const accountIds = names.map(({ provider_user_id }) => provider_user_id)
  const { rowCount } = await selectLinked(knex, [site, names.map(({ name }) => name), accountIds])
  return rowCount === 1
}

/** The link of an account under exactly this provider, and its user. */
export async function findLink(
  knex: Knex,
  site: number,
  { provider, provider_user_id }: ProviderAccount,
): Promise<{ identifier: string; link: Link; created_at: Date } | undefined> {
  const row: (LinkRow & { identifier: string }) | undefined = await knex('links')
    .where({ site, provider, provider_user_id })
    .first(...linkColumns, 'identifier')
  if (row === undefined) return undefined
  const { identifier, ...link } = row
  return { identifier, link: toLink(link), created_at: link.created_at }
}

/** The user of an account, with the link under this provider if there is one, else under the other one. */
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

/** The user of an account, and how the account is linked. */
export interface Holder {
  readonly identifier: string
  /** The link under this provider if there is one, else under the other one. */
  readonly link_id: string
  readonly linked_as: readonly Provider[]
}

// Locks users before links, in the same order as a deletion.
const selectHolder = defineStatement<{ identifier: string; link_id: string; provider: Provider }>(
  `select u.identifier, l.link_id, l.provider
   from users u join links l using (site, identifier)
   where l.site = $1 and l.provider = any($2) and l.provider_user_id = $3
   for no key update`,
)

/** Finds the user of an account and locks it until the transaction ends. */
export async function lockHolder(
  trx: Knex.Transaction,
  site: number,
  { provider, provider_user_id }: ProviderAccount,
): Promise<Holder | undefined> {
  const { rows } = await selectHolder(trx, [site, providersOfAccount(provider), provider_user_id])
  const link = rows.find((row) => row.provider === provider) ?? rows[0]
  return link && { ...link, linked_as: rows.map((row) => row.provider) }
}

const insertEach = defineStatement<LinkRow>(
  `insert into links (site, identifier, provider, provider_user_id, created_at)
   select $1, $2, provider, provider_user_id, $5 from unnest($3::text[], $4::text[]) as account (provider, provider_user_id)
   returning ${linkColumns.join()}`,
)

/** @throws Fault `invalid_parameter` if an account is already linked, or two accounts are of the same provider */
export async function insertLinks(
  trx: Knex.Transaction,
  { site, identifier }: UserKey,
  accounts: readonly ProviderAccount[],
  createdAt: Date,
): Promise<Link[]> {
  const [providers, accountIds] = [
    accounts.map(({ provider }) => provider),
    accounts.map(({ provider_user_id }) => provider_user_id),
  ]
  const inserting = insertEach(trx, [site, identifier, providers, accountIds, createdAt])
  const { rows } = await translateConstraintErrors(inserting, {
    links_pk: 'invalid_parameter',
    links_one_account_per_provider: 'invalid_parameter',
  })
  return rows.map(toLink)
}

/**
 * Links one more account to a user, unless the user has another account of the provider.
 *
 * @returns the ID of the new link
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

/** Moves all links to another user, who must have none of their providers. The links keep their IDs. */
export async function moveLinks(trx: Knex.Transaction, from: UserKey, to: UserKey): Promise<void> {
  const { site, identifier } = from
  await trx('links').where({ site, identifier }).update({ identifier: to.identifier })
}

/** @returns the IDs of the deleted links */
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
