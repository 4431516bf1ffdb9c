import type { Knex } from 'knex'

export interface RequestOfSite {
  readonly site: number
  readonly request_id: string
}

/** A record of a site's request. Records without a site are found, too: only the sender knows their request id. */
export async function findByRequestId<T extends object>(
  knex: Knex,
  table: 'requests' | 'rejections',
  { site, request_id }: RequestOfSite,
): Promise<T | undefined> {
  return knex(table)
    .where({ request_id })
    .where((of) => of.where({ site }).orWhereNull('site'))
    .first<T | undefined>()
}
