import type { Knex } from 'knex'
import { limits, type RejectionRecord } from '#contracts'
import { findByRequestId, type RequestReference } from './find-by-request-id.ts'

/**
 * Adds rejected requests and deletes a site's oldest ones above the limit, so that attackers cannot fill the database.
 *
 * @param positions in the logs of logins, of the sites
 */
export async function insertRejections(
  trx: Knex.Transaction,
  rejections: readonly RejectionRecord[],
  positions: ReadonlyMap<number, number>,
): Promise<void> {
  if (rejections.length === 0) return
  const toPosition = ({ site }: RejectionRecord) => (site === null ? null : positions.get(site))
  await trx('rejections')
    .insert(
      rejections.map((rejection) => ({ ...rejection, at: new Date(rejection.at), position: toPosition(rejection) })),
    )
    .onConflict()
    .ignore()
  for (const site of new Set(rejections.map((rejection) => rejection.site))) {
    const oldest = trx('rejections').where({ site }).orderBy('at', 'desc').offset(limits.stored_rejections_per_site)
    await trx('rejections').whereIn('ctid', oldest.select('ctid')).delete()
  }
}

export type StoredRejection = Omit<RejectionRecord, 'at'> & { readonly at: Date }

export function findRejection(knex: Knex, which: RequestReference): Promise<StoredRejection | undefined> {
  return findByRequestId<StoredRejection>(knex, 'rejections', which)
}

/** The first rejected request to exchange the code of a login. */
export function findRejectedRedemption(
  knex: Knex,
  login: { readonly site: number; readonly login_id: string },
): Promise<StoredRejection | undefined> {
  return knex('rejections').where(login).orderBy('at').first<StoredRejection | undefined>()
}

/** Rejected requests of a site's client, newest first. */
export async function listRejectionsOf(
  knex: Knex,
  client: { readonly site: number; readonly client_id: string },
  limit: number,
): Promise<StoredRejection[]> {
  return knex('rejections').where(client).orderBy('at', 'desc').limit(limit).select<StoredRejection[]>()
}
