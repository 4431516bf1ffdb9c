import type { Knex } from 'knex'

interface Subject {
  readonly site: number
  readonly identifier: string
}

/** Tells whether data of the user may be written, and keeps it so until the transaction ends. */
export async function lockRemembered(trx: Knex.Transaction, user: Subject): Promise<boolean> {
  await trx.raw('select pg_advisory_xact_lock_shared(hashtextextended(?, 0))', [lockOf(user)])
  const tombstone = await trx('forgotten_users').where({ site: user.site, identifier: user.identifier }).first('site')
  return tombstone === undefined
}

/** Waits for writers of the user's data that are at work, then has every later one refused. */
export async function insertForgottenUser(trx: Knex.Transaction, user: Subject): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [lockOf(user)])
  await trx('forgotten_users').insert({ site: user.site, identifier: user.identifier }).onConflict().ignore()
}

function lockOf({ site, identifier }: Subject): string {
  return `user ${site} ${identifier}`
}
