import type { Knex } from 'knex'
import type { CallbackRules } from '#contracts'

/** First key of the advisory locks for sites' callback rules; no other lock of this database uses it. */
const lockClass = 7_305_101

/** How long prepared rules are valid. The site change that they belong to ends much earlier. Our choice. */
const preparedSeconds = 60

/** Locks the site's rules and redirect URIs until the transaction ends. */
export async function lockCallbackRules(trx: Knex.Transaction, site: number): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock(?, ?)', [lockClass, site])
}

/** Rules of a pending change of the site's current or a later revision. */
export async function listPreparedRules(
  trx: Knex.Transaction,
  { site, revision }: { readonly site: number; readonly revision: number },
): Promise<CallbackRules[]> {
  return trx('prepared_callback_rules')
    .where({ site })
    .where('expected_revision', '>=', revision)
    .whereRaw('prepared_at > now() - make_interval(secs => ?)', [preparedSeconds])
    .select('kind', 'domains')
}

export async function insertPreparedRules(
  trx: Knex.Transaction,
  rules: CallbackRules & { readonly site: number; readonly expected_revision: number },
): Promise<void> {
  await trx('prepared_callback_rules')
    .where({ site: rules.site })
    .whereRaw('prepared_at <= now() - make_interval(secs => ?)', [preparedSeconds])
    .delete()
  await trx('prepared_callback_rules').insert(rules)
}

/** The redirect URIs and post-logout redirect URIs of a site's clients. */
export async function listRegisteredUris(
  trx: Knex.Transaction,
  site: number,
): Promise<{ client_id: string; client: string; redirect_uri: string }[]> {
  const addresses = trx.raw(`
    (select client_id, redirect_uri from redirect_uris
     union select client_id, unnest(post_logout_redirect_uris) from clients) as r`)
  return trx('clients as c')
    .join(addresses, 'r.client_id', 'c.client_id')
    .where({ site })
    .orderBy(['c.created_at', 'c.client_id', 'redirect_uri'])
    .select('c.client_id', 'c.name as client', 'redirect_uri')
}
