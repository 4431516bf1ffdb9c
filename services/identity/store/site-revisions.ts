import type { Knex } from 'knex'

/** Increments the newest revision and returns it. Other changes of sites wait until this transaction ends. */
export async function incrementNewestRevision(trx: Knex.Transaction): Promise<number> {
  const { rows } = await trx.raw<{ rows: [{ newest: number }] }>(
    'update site_revisions set newest = newest + 1 returning newest',
  )
  return rows[0].newest
}

export async function findNewestRevision(knex: Knex): Promise<number> {
  const { rows } = await knex.raw<{ rows: [{ newest: number }] }>('select newest from site_revisions')
  return rows[0].newest
}
