import type { Knex } from 'knex'
import { userColumns } from '#admin-api'

type UserColumn = (typeof userColumns)[number]

/** Reads the columns that a member chose; null: the default ones. Columns of another release are left out. */
export async function findUserColumns(knex: Knex, memberId: string): Promise<UserColumn[] | null> {
  const row: { user_columns: string[] | null } | undefined = await knex('members')
    .where({ member_id: memberId })
    .first('user_columns')
  const chosen = row?.user_columns ?? null
  return chosen && userColumns.filter((column) => chosen.includes(column))
}

export async function storeUserColumns(
  trx: Knex.Transaction,
  memberId: string,
  columns: readonly UserColumn[] | null,
): Promise<void> {
  await trx('members')
    .where({ member_id: memberId })
    .update({ user_columns: columns && [...columns] })
}
