import type { Knex } from 'knex'

/** Closes a site that exists, and revokes its keys. @returns false if it was closed before, or does not exist */
export async function markSiteClosed(trx: Knex.Transaction, site: number, revision: number): Promise<boolean> {
  const { rowCount } = await trx.raw<{ rowCount: number }>(
    `with closed as (
       update sites set closed_at = now() where site = :site and closed_at is null returning site, account, site_id
     ), revoked as (
       update api_keys set revoked_at = now() from closed where api_keys.site = closed.site and revoked_at is null
     )
     insert into closed_sites (site, account, site_id, revision) select site, account, site_id, :revision from closed`,
    { site, revision },
  )
  return rowCount === 1
}

/** Whether a site with these names was closed. */
export async function isNameClosed(
  trx: Knex.Transaction,
  { account, site_id }: { readonly account: string; readonly site_id: string },
): Promise<boolean> {
  return (await trx('closed_sites').where({ account, site_id }).first('site')) !== undefined
}

/** Deletes the jobs that call other services about a site. @returns their number */
export async function deleteJobsOfSite(trx: Knex.Transaction, site: number): Promise<number> {
  return trx('jobs').whereRaw("payload -> 'input' -> 'site' = to_jsonb(?::integer)", [site]).delete()
}

/** Deletes the row of a closed site that has no users and keys any more. @returns false if it was deleted before */
export async function deleteClosedSite(trx: Knex.Transaction, site: number): Promise<boolean> {
  return (await trx('sites').where({ site }).whereNotNull('closed_at').delete()) > 0
}
