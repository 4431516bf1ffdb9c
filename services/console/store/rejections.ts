import type { Knex } from 'knex'
import { limits, type RejectionRecord } from '#contracts'
import { findByRequestId, type RequestReference } from './find-by-request-id.ts'

/** Adds rejected requests and deletes a site's oldest ones above the limit, so that attackers cannot fill the database. */
export async function insertRejections(trx: Knex.Transaction, rejections: readonly RejectionRecord[]): Promise<void> {
  if (rejections.length === 0) return
  await trx('rejections')
    .insert(rejections.map(({ at, ...rejection }) => ({ ...rejection, at: new Date(at) })))
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

/** Rejected requests of a site's client, newest first. */
export async function listRejectionsOf(
  knex: Knex,
  client: { readonly site: number; readonly client_id: string },
  limit: number,
): Promise<StoredRejection[]> {
  return knex('rejections').where(client).orderBy('at', 'desc').limit(limit).select<StoredRejection[]>()
}
