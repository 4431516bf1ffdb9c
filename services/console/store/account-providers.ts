import type { Knex } from 'knex'
import type { Role, RoleRule } from '#admin-api'

/** The OpenID Provider of an account, with its encrypted secret. */
export interface AccountProviderRow {
  readonly account: string
  readonly issuer: string
  readonly client_id: string
  readonly client_secret_encrypted: Buffer
  readonly client_authentication: 'client_secret_post' | 'client_secret_basic'
  readonly scopes: readonly string[]
  readonly trust_email: boolean
  /** Members of the account can enter it only through this provider. */
  readonly required: boolean
  readonly role_claim: string | null
  readonly role_rules: readonly RoleRule[]
  readonly default_role: Role | null
  /** Differs for each change, also after a removal. */
  readonly revision: number
}

export async function findAccountProvider(knex: Knex, account: string): Promise<AccountProviderRow | undefined> {
  return knex('account_providers').where({ account }).first<AccountProviderRow | undefined>()
}

/** Finds the provider of the account that has proven a domain. */
export async function findProviderOfDomain(knex: Knex, domain: string): Promise<AccountProviderRow | undefined> {
  return knex('account_providers')
    .whereIn('account', knex('account_domains').where({ domain }).whereNotNull('proven_at').select('account'))
    .first<AccountProviderRow | undefined>()
}

/** Locks the provider of an account, so that sign-ins and changes of its settings happen one after the other. */
export async function lockAccountProvider(
  trx: Knex.Transaction,
  account: string,
): Promise<AccountProviderRow | undefined> {
  return trx('account_providers').where({ account }).forUpdate().first<AccountProviderRow | undefined>()
}

/**
 * Stores the settings if they have not changed since a revision; 0: since there were none.
 *
 * @returns the new revision; undefined: they have changed
 */
export async function saveAccountProvider(
  trx: Knex.Transaction,
  { role_rules, revision, scopes, account, ...settings }: AccountProviderRow,
): Promise<number | undefined> {
  const row = { ...settings, scopes: [...scopes], role_rules: JSON.stringify(role_rules) }
  const saved: { revision: number }[] =
    revision === 0
      ? await trx('account_providers')
          .insert({ account, ...row })
          .onConflict('account')
          .ignore()
          .returning('revision')
      : await trx('account_providers')
          .where({ account, revision })
          .update({ ...row, revision: trx.raw(`nextval('account_provider_revisions')`) })
          .returning('revision')
  return saved[0]?.revision
}

/** @returns the removed provider; undefined if it has changed since the revision */
export async function deleteAccountProvider(
  trx: Knex.Transaction,
  { account, revision }: Pick<AccountProviderRow, 'account' | 'revision'>,
): Promise<AccountProviderRow | undefined> {
  const [removed] = await trx('account_providers')
    .where({ account, revision })
    .delete()
    .returning<AccountProviderRow[]>('*')
  return removed
}

/** Whether members of the account can enter it only through its provider. */
export async function isProviderRequired(knex: Knex, account: string): Promise<boolean> {
  return (await knex('account_providers').where({ account, required: true }).first('account')) !== undefined
}

/** Secrets that are not encrypted with the key whose values begin with `head`. */
export async function listProviderSecretsOfOtherKeys(
  knex: Knex,
  head: Buffer,
): Promise<Pick<AccountProviderRow, 'account' | 'client_secret_encrypted'>[]> {
  return knex('account_providers')
    .whereRaw('substring(client_secret_encrypted for ?) <> ?', [head.length, head])
    .select('account', 'client_secret_encrypted')
}

/** Replaces the encrypted form of a secret, unless it has changed. */
export async function replaceProviderSecret(
  knex: Knex,
  { account, client_secret_encrypted }: Pick<AccountProviderRow, 'account' | 'client_secret_encrypted'>,
  encrypted: Buffer,
): Promise<void> {
  await knex('account_providers')
    .where({ account, client_secret_encrypted })
    .update({ client_secret_encrypted: encrypted })
}
