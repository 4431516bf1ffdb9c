import type { Knex } from 'knex'
import type { SiteTerms, TermsDocument } from '#contracts'
import { defineStatement, type Executor } from '#database'

const selectTerms = defineStatement<SiteTerms>('select documents, revision from site_terms where site = $1')

/** Undefined if no administrator has saved any: end users are not asked. */
export async function findTerms(executor: Executor, site: number): Promise<SiteTerms | undefined> {
  return (await selectTerms(executor, [site])).rows[0]
}

/** Stores the documents as their next revision. @returns false if another change was first */
export async function storeTerms(
  knex: Knex,
  {
    site,
    documents,
    expected_revision,
  }: { site: number; documents: readonly TermsDocument[]; expected_revision: number },
): Promise<boolean> {
  const changes = { documents: JSON.stringify(documents), revision: expected_revision + 1 }
  if (expected_revision === 0) {
    const row = { site, ...changes }
    const inserted: unknown[] = await knex('site_terms').insert(row).onConflict('site').ignore().returning('site')
    return inserted.length === 1
  }
  return (await knex('site_terms').where({ site, revision: expected_revision }).update(changes)) === 1
}
