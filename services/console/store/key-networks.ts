import type { Knex } from 'knex'
import { limits } from '#contracts'
import { addSeconds } from '../domain/time.ts'

/** A network from which an API key was used. */
export interface KeyNetwork {
  readonly api_key_id: string
  readonly network: string
}

/**
 * Lists the addresses with recent calls of a site by key; for keys of which no network is known, those of the stored days. Addresses that
 * were not reported individually are absent.
 */
export async function listKeyAddresses(
  knex: Knex,
  site: number,
  now: Date,
): Promise<{ api_key_id: string; address: string }[]> {
  const callers = (since: Date) =>
    knex('usage_callers')
      .where({ site, span: 'hour' })
      .where('at', '>=', since)
      .whereNot({ address: '' })
      .distinct<{ api_key_id: string; address: string }[]>('api_key_id', 'address')
      .orderBy(['api_key_id', 'address'])
  const recent = await callers(addSeconds(now, -recentSeconds))
  const keys = [...new Set(recent.map(({ api_key_id }) => api_key_id))]
  const known: string[] = await knex('key_networks').whereIn('api_key_id', keys).distinct().pluck('api_key_id')
  const newKeys = keys.filter((key) => !known.includes(key))
  if (newKeys.length === 0) return recent
  const earlier = await callers(addSeconds(now, -limits.usage_callers_seconds)).whereIn('api_key_id', newKeys)
  return [...recent, ...earlier]
}

/** Calls are counted by hour. */
const recentSeconds = 2 * 3_600

/**
 * Stores from where keys were used.
 *
 * @returns the new networks of keys that were used before. The first networks of a key are expected.
 */
export async function upsertKeyNetworks(
  trx: Knex.Transaction,
  networks: readonly KeyNetwork[],
  now: Date,
): Promise<KeyNetwork[]> {
  if (networks.length === 0) return []
  const keys = [...new Set(networks.map(({ api_key_id }) => api_key_id))]
  const usedBefore: string[] = await trx('key_networks').whereIn('api_key_id', keys).distinct().pluck('api_key_id')
  // Two processes at the same time do not both find a network that is new: the second one waits for the row of the first.
  const { rows } = await trx.raw<{ rows: (KeyNetwork & { is_new: boolean })[] }>(
    `insert into key_networks (api_key_id, network, last_seen_at)
     select api_key_id, network, cast(:now as timestamptz)
     from jsonb_to_recordset(:json) as g (api_key_id uuid, network text)
     order by api_key_id, network
     on conflict (api_key_id, network) do update set last_seen_at = excluded.last_seen_at
     returning api_key_id, network, xmax = 0 as is_new`,
    { now, json: JSON.stringify(networks) },
  )
  return rows.filter(({ api_key_id, is_new }) => is_new && usedBefore.includes(api_key_id))
}

/** Deletes networks that were not used for so long that they count as new again. */
export async function deleteOldKeyNetworks(knex: Knex, now: Date): Promise<void> {
  await knex('key_networks').where('last_seen_at', '<', addSeconds(now, -limits.key_network_seconds)).delete()
}
