import type { Knex } from 'knex'

export interface User {
  readonly site: number
  readonly identifier: string
}

/**
 * The user as whom data of a user are kept, who may be merged, and keeps it so until the transaction ends; undefined when
 * nothing may be kept.
 */
export async function lockRemembered(trx: Knex.Transaction, { site, identifier }: User): Promise<User | undefined> {
  const passed = new Set<string>()
  for (let living = identifier; !passed.has(living); ) {
    passed.add(living)
    await trx.raw('select pg_advisory_xact_lock_shared(hashtextextended(?, 0))', [lockOf({ site, identifier: living })])
    const tombstone: { merged_into: string | null } | undefined = await trx('forgotten_users')
      .where({ site, identifier: living })
      .first('merged_into')
    if (tombstone === undefined) return { site, identifier: living }
    if (tombstone.merged_into === null) return undefined
    living = tombstone.merged_into
  }
  return undefined
}

/**
 * Waits for writers of the user's data that are at work, then has every later one refused, or led to the destination. The
 * first word stays: a user is forgotten once.
 */
export async function insertForgottenUser(
  trx: Knex.Transaction,
  { site, identifier }: User,
  { merged_into = null }: { readonly merged_into?: string | null } = {},
): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [lockOf({ site, identifier })])
  await trx('forgotten_users').insert({ site, identifier, merged_into }).onConflict().ignore()
}

/** The user, and all whom were merged into him, one after another. */
export async function listMergedInto(knex: Knex, { site, identifier }: User): Promise<string[]> {
  const { rows } = await knex.raw<{ rows: { identifier: string }[] }>(
    `with recursive merged (identifier) as (
       values (:identifier::text)
       union
       select source.identifier from forgotten_users as source
       join merged on source.site = :site and source.merged_into = merged.identifier
     )
     select identifier from merged`,
    { site, identifier },
  )
  return rows.map((row) => row.identifier)
}

function lockOf({ site, identifier }: User): string {
  return `user ${site} ${identifier}`
}
