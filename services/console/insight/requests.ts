import type { Knex } from 'knex'
import type { RequestRecord } from '#contracts'

export async function insertRequests(trx: Knex.Transaction, requests: readonly RequestRecord[]): Promise<void> {
  if (requests.length === 0) return
  await trx.raw(
    `insert into requests
       (request_id, at, site, api_key_id, address, operation, status, code, remaining, duration_ms)
     select request_id, to_timestamp(at / 1000.0), site, api_key_id, address, operation, status, code, remaining, duration_ms
     from jsonb_to_recordset(?) as g (request_id uuid, at bigint, site int, api_key_id uuid, address text,
       operation text, status smallint, code int, remaining bigint, duration_ms double precision)
     on conflict do nothing`,
    [JSON.stringify(requests)],
  )
}

export type StoredRequest = Omit<RequestRecord, 'at'> & { readonly at: Date }

/** A request of the site, or one whose key was none of any site: who knows the id of such a one sent it. */
export async function findRequest(
  knex: Knex,
  { site, request_id }: { site: number; request_id: string },
): Promise<StoredRequest | undefined> {
  return knex('requests')
    .where({ request_id })
    .where((of) => of.where({ site }).orWhereNull('site'))
    .first<StoredRequest | undefined>()
}
