import type { Knex } from 'knex'
import type { Provider } from '#contracts'

export interface User {
  readonly site: number
  readonly identifier: string
}

/** Where the data of a merged user went. */
export interface Merged {
  readonly merged_into: string
  readonly merged_at: Date
  /** Providers whose account moved. */
  readonly merged_providers: readonly Provider[]
}

/** Tells whether data of the user may be written, and keeps it so until the transaction ends. */
export async function lockRemembered(trx: Knex.Transaction, { site, identifier }: User): Promise<boolean> {
  await lockUserShared(trx, { site, identifier })
  const tombstone: unknown = await trx('forgotten_users').where({ site, identifier }).first('site')
  return tombstone === undefined
}

/** Waits for writers of the user's data that are at work, and has later ones wait until the transaction ends. */
export async function lockUser(trx: Knex.Transaction, user: User): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [lockOf(user)])
}

/** As `lockUser`, but writers do not wait for one another. */
export async function lockUserShared(trx: Knex.Transaction, user: User): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock_shared(hashtextextended(?, 0))', [lockOf(user)])
}

/** Waits for writers of the user's data, then has every later one refused, or led on. The first word stays. */
export async function insertForgottenUser(
  trx: Knex.Transaction,
  { site, identifier }: User,
  merged?: Merged,
): Promise<void> {
  await lockUser(trx, { site, identifier })
  await trx('forgotten_users')
    .insert({ site, identifier, ...merged })
    .onConflict()
    .ignore()
}

function lockOf({ site, identifier }: User): string {
  return `user ${site} ${identifier}`
}
