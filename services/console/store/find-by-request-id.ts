import type { Knex } from 'knex'

export interface RequestReference {
  readonly site: number
  readonly request_id: string
}

/** Finds the record of a site's request. Includes records without a site, because only the sender knows their request ID. */
export async function findByRequestId<T extends object>(
  knex: Knex,
  table: 'requests' | 'rejections',
  { site, request_id }: RequestReference,
): Promise<T | undefined> {
  return knex(table)
    .where({ request_id })
    .where((of) => of.where({ site }).orWhereNull('site'))
    .first<T | undefined>()
}
