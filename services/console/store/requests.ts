import type { Knex } from 'knex'
import type { RequestRecord } from '#contracts'
import { findByRequestId, type RequestReference } from './find-by-request-id.ts'

export async function insertRequests(trx: Knex.Transaction, requests: readonly RequestRecord[]): Promise<void> {
  if (requests.length === 0) return
  await trx.raw(
    `insert into requests
       (request_id, at, site, api_key_id, address, operation, status, code, remaining, duration_ms,
        parameter, reason, documentation, unknown_parameters)
     select request_id, to_timestamp(at / 1000.0), site, api_key_id, address, operation, status, code, remaining, duration_ms,
            parameter, reason, documentation, unknown_parameters
     from jsonb_to_recordset(?) as g (request_id uuid, at bigint, site int, api_key_id uuid, address text,
       operation text, status smallint, code int, remaining bigint, duration_ms double precision,
       parameter text, reason text, documentation text, unknown_parameters text[])
     on conflict do nothing`,
    [JSON.stringify(requests)],
  )
}

export type StoredRequest = Omit<RequestRecord, 'at'> & { readonly at: Date }

export function findRequest(knex: Knex, which: RequestReference): Promise<StoredRequest | undefined> {
  return findByRequestId<StoredRequest>(knex, 'requests', which)
}
