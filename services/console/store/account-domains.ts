import type { Knex } from 'knex'
import { translateConstraintErrors } from '#database'
import { newToken } from '#runtime'

/** A domain of the e-mail addresses of an account. */
export interface AccountDomain {
  readonly account: string
  readonly domain: string
  /** What the TXT record contains. */
  readonly token: string
  readonly proven_by: 'dns' | 'operator' | null
  readonly proven_at: Date | null
}

type DomainKey = Pick<AccountDomain, 'account' | 'domain'>

export async function listDomains(knex: Knex, account: string): Promise<AccountDomain[]> {
  return knex('account_domains').where({ account }).orderBy('domain').select<AccountDomain[]>()
}

export async function findDomain(knex: Knex, key: DomainKey): Promise<AccountDomain | undefined> {
  return knex('account_domains').where({ account: key.account, domain: key.domain }).first<AccountDomain | undefined>()
}

/** The account's proven domains, locked so that none is removed until the transaction ends. */
export async function lockProvenDomains(trx: Knex.Transaction, account: string): Promise<string[]> {
  const rows: { domain: string }[] = await trx('account_domains')
    .where({ account })
    .whereNotNull('proven_at')
    .orderBy('domain')
    .forUpdate()
    .select('domain')
  return rows.map(({ domain }) => domain)
}

/** Claims a domain; one that the account has claimed keeps its token and proof. */
export async function insertDomain(
  trx: Knex.Transaction,
  { account, domain, now }: DomainKey & { readonly now: Date },
): Promise<void> {
  await trx('account_domains')
    .insert({ account, domain, token: newToken(), created_at: now })
    .onConflict(['account', 'domain'])
    .ignore()
}

/**
 * Stores that a domain is proven.
 *
 * @returns false if the account has not claimed it
 * @throws Fault `already_exists` if another account has proven it
 */
export async function storeProof(
  trx: Knex.Transaction,
  { account, domain, by, now }: DomainKey & { readonly by: 'dns' | 'operator'; readonly now: Date },
): Promise<boolean> {
  const updating = trx('account_domains').where({ account, domain }).update({ proven_by: by, proven_at: now })
  return (await translateConstraintErrors(updating, { account_domains_proven_unique: 'already_exists' })) > 0
}

/** @returns the removed domain; undefined if the account does not have it */
export async function deleteDomain(trx: Knex.Transaction, key: DomainKey): Promise<AccountDomain | undefined> {
  const [removed] = await trx('account_domains')
    .where({ account: key.account, domain: key.domain })
    .delete()
    .returning<AccountDomain[]>('*')
  return removed
}
