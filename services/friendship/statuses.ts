import type { Knex } from 'knex'

export interface Status {
  readonly friendship_status: boolean
  readonly friendship_status_updated_at: Date
}

/** The statuses in the order of the links. */
export async function findStatuses(knex: Knex, linkIds: readonly string[]): Promise<readonly (Status | undefined)[]> {
  const rows: (Status & { readonly link_id: string })[] = await knex('statuses').whereIn('link_id', [...linkIds])
  const found = new Map(rows.map((row) => [row.link_id, row]))
  return linkIds.map((linkId) => found.get(linkId))
}

/** Stores the status of a locked link, unless a newer one is stored. */
export async function upsertStatus(
  trx: Knex.Transaction,
  linkId: string,
  { friendship_status, friendship_status_updated_at }: Status,
): Promise<void> {
  await trx('statuses')
    .insert({ link_id: linkId, friendship_status, friendship_status_updated_at })
    .onConflict('link_id')
    .merge()
    .where('statuses.friendship_status_updated_at', '<=', friendship_status_updated_at)
}

export async function deleteStatuses(trx: Knex.Transaction, linkIds: readonly string[]): Promise<void> {
  await trx('statuses')
    .whereIn('link_id', [...linkIds])
    .delete()
}
