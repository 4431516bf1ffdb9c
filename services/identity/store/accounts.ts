import type { Knex } from 'knex'
import type { Account } from '#contracts'
import { translateConstraintErrors } from '#database'
import { toTimestamp } from '#runtime'

type AccountRow = Omit<Account, 'created_at'> & { readonly created_at: Date }

const columns = ['account', 'name', 'created_at', 'revision'] as const

function toAccount(row: AccountRow): Account {
  return { ...row, created_at: toTimestamp(row.created_at) }
}

/** All accounts, ordered by ID. */
export async function selectAccounts(knex: Knex): Promise<Account[]> {
  const rows: AccountRow[] = await knex('accounts').orderBy('account').select(columns)
  return rows.map(toAccount)
}

export async function findAccount(knex: Knex, account: string): Promise<Account | undefined> {
  const row: AccountRow | undefined = await knex('accounts').where({ account }).first(columns)
  return row && toAccount(row)
}

/** @throws Fault `already_exists` */
export async function insertAccount(knex: Knex, account: Pick<Account, 'account' | 'name'>): Promise<Account> {
  const inserting = knex('accounts').insert(account).returning<AccountRow[]>(columns)
  const [row] = await translateConstraintErrors(inserting, { accounts_pk: 'already_exists' })
  if (row === undefined) throw new Error('The insert returned no row.')
  return toAccount(row)
}

/** Creates the account unless it exists. */
export async function insertAccountIfMissing(
  trx: Knex.Transaction,
  { account, name }: Pick<Account, 'account' | 'name'>,
): Promise<void> {
  await trx('accounts').insert({ account, name }).onConflict('account').ignore()
}

/** @returns undefined if the account does not exist or has another revision */
export async function updateAccount(
  knex: Knex,
  { account, name, expected_revision }: { account: string; name: string; expected_revision: number },
): Promise<Account | undefined> {
  const [row] = await knex('accounts')
    .where({ account, revision: expected_revision })
    .update({ name, revision: expected_revision + 1 })
    .returning<AccountRow[]>(columns)
  return row && toAccount(row)
}
