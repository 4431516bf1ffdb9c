import type { Knex } from 'knex'
import type { ImportedUser } from '#contracts'
import { defineStatement, translateConstraintErrors } from '#database'
import type { ImportedFields, MatchedUser } from '../domain/import-user.ts'
import { providersOfAccount } from '../domain/provider-accounts.ts'
import { defineUserChange } from './count-changes.ts'
import type { ProviderAccount } from './links.ts'
import { toUser, type UserKey, type UserRow, userRowColumns } from './users.ts'

// In a fixed order, to avoid deadlocks.
const lockMatching = defineStatement<UserRow>(
  `select ${userRowColumns} from users
   where site = $1 and identifier in (
     select unnest($2::text[])
     union select identifier from users where site = $1 and primary_key = any($3)
     union select identifier from links
       where site = $1 and (provider, provider_user_id) in (select * from unnest($4::text[], $5::text[]))
   )
   order by identifier for no key update`,
)
const selectLinks = defineStatement<ProviderAccount & { identifier: string }>(
  'select identifier, provider, provider_user_id from links where site = $1 and identifier = any($2)',
)

/** Locks the users of a site with an identifier, primary key or account of the records until the transaction ends. */
export async function lockMatchingUsers(
  trx: Knex.Transaction,
  site: number,
  records: readonly ImportedUser[],
): Promise<MatchedUser[]> {
  const accounts = records
    .flatMap(({ links }) => links)
    .flatMap(({ provider, provider_user_id }) =>
      providersOfAccount(provider).map((name) => ({ provider: name, provider_user_id })),
    )
  const { rows } = await lockMatching(trx, [
    site,
    records.map(({ identifier }) => identifier).filter((identifier) => identifier !== undefined),
    records.map(({ primary_key }) => primary_key).filter((primaryKey) => primaryKey !== null),
    accounts.map(({ provider }) => provider),
    accounts.map(({ provider_user_id }) => provider_user_id),
  ])
  if (rows.length === 0) return []
  const links = (await selectLinks(trx, [site, rows.map(({ identifier }) => identifier)])).rows
  const linksOf = Map.groupBy(links, ({ identifier }) => identifier)
  return rows.map((row) => ({ user: toUser(row), links: linksOf.get(row.identifier) ?? [] }))
}

/** A user to insert. */
export interface NewImportedUser {
  readonly identifier: string
  /** Whether the identifier comes from the record, so that its first digits are no time. */
  readonly is_given: boolean
  readonly fields: ImportedFields
}

const insertUsers = defineUserChange({
  change: `insert into users (site, identifier, imported_registration, primary_key, mapped_at, last_logged_in_at,
     last_logged_in_provider, login_count, created_at, blocked_at, blocked_until, block_reason, blocked_by)
   select $1, identifier, case when is_given then floor(extract(epoch from created_at)) end, primary_key, mapped_at,
     last_logged_in_at, last_logged_in_provider, login_count, created_at, blocked_at, blocked_until, block_reason, blocked_by
   from unnest($2::text[], $3::boolean[], $4::text[], $5::timestamptz[], $6::timestamptz[], $7::text[], $8::integer[],
     $9::timestamptz[], $10::timestamptz[], $11::timestamptz[], $12::text[], $13::text[]) as imported (identifier, is_given,
     primary_key, mapped_at, last_logged_in_at, last_logged_in_provider, login_count, created_at, blocked_at, blocked_until,
     block_reason, blocked_by)`,
})

/** @throws Fault `entity_not_found` if the site does not exist */
export async function insertImportedUsers(
  trx: Knex.Transaction,
  site: number,
  users: readonly NewImportedUser[],
): Promise<void> {
  if (users.length === 0) return
  const inserting = insertUsers(trx, [
    site,
    users.map(({ identifier }) => identifier),
    users.map(({ is_given }) => is_given),
    users.map(({ fields }) => fields.primary_key),
    users.map(({ fields }) => fields.mapped_at),
    users.map(({ fields }) => fields.last_logged_in_at),
    users.map(({ fields }) => fields.last_logged_in_provider),
    users.map(({ fields }) => fields.login_count),
    users.map(({ fields }) => fields.created_at),
    users.map(({ fields }) => fields.block?.since ?? null),
    users.map(({ fields }) => fields.block?.until ?? null),
    users.map(({ fields }) => fields.block?.reason ?? null),
    users.map(({ fields }) => fields.block?.by ?? null),
  ])
  await translateConstraintErrors(inserting, { users_site_fk: 'entity_not_found' })
}

/** A link to insert. */
export interface NewImportedLink extends ProviderAccount {
  readonly identifier: string
  readonly created_at: string
}

const insertLinks = defineStatement(
  `insert into links (site, identifier, provider, provider_user_id, created_at)
   select $1, * from unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[])`,
)

export async function insertImportedLinks(
  trx: Knex.Transaction,
  site: number,
  links: readonly NewImportedLink[],
): Promise<void> {
  if (links.length === 0) return
  await insertLinks(trx, [
    site,
    links.map(({ identifier }) => identifier),
    links.map(({ provider }) => provider),
    links.map(({ provider_user_id }) => provider_user_id),
    links.map(({ created_at }) => created_at),
  ])
}

const updateFields = defineUserChange({
  change: `update users set primary_key = $3, mapped_at = $4, last_logged_in_at = $5, last_logged_in_provider = $6,
     login_count = $7, created_at = $8, blocked_at = $9, blocked_until = $10, block_reason = $11, blocked_by = $12,
     sessions_ended_at = case when blocked_at is null and $9::timestamptz is not null then times.now else sessions_ended_at end,
     imported_registration = case when times.created > registration then times.created else imported_registration end
   -- A distributed table does not evaluate these in a condition.
   from (select now(), floor(extract(epoch from $8::timestamptz))::bigint) as times (now, created)
   where site = $1 and identifier = $2`,
})

/** Changes a locked user. A later creation time also moves the user in lists. */
export async function updateImportedUser(
  trx: Knex.Transaction,
  { site, identifier }: UserKey,
  {
    primary_key,
    mapped_at,
    last_logged_in_at,
    last_logged_in_provider,
    login_count,
    created_at,
    block,
  }: ImportedFields,
): Promise<void> {
  await updateFields(trx, [
    site,
    identifier,
    primary_key,
    mapped_at,
    last_logged_in_at,
    last_logged_in_provider,
    login_count,
    created_at,
    block?.since ?? null,
    block?.until ?? null,
    block?.reason ?? null,
    block?.by ?? null,
  ])
}

/** A link with its user, as later services need it. */
export interface LinkOfAccount extends ProviderAccount {
  readonly link_id: string
  readonly identifier: string
}

const selectOfAccounts = defineStatement<LinkOfAccount>(
  `select provider, provider_user_id, link_id, identifier from links
   where site = $1 and (provider, provider_user_id) in (select * from unnest($2::text[], $3::text[]))`,
)

/** The links of accounts of a site, unordered. */
export async function listLinksOfAccounts(
  knex: Knex,
  site: number,
  accounts: readonly ProviderAccount[],
): Promise<LinkOfAccount[]> {
  if (accounts.length === 0) return []
  const providers = accounts.map(({ provider }) => provider)
  const accountIds = accounts.map(({ provider_user_id }) => provider_user_id)
  return (await selectOfAccounts(knex, [site, providers, accountIds])).rows
}
