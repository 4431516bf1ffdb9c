import type { Knex } from 'knex'
import type { CircuitState, Provider, ProviderCallCount } from '#contracts'

export async function upsertProviderCalls(trx: Knex.Transaction, counts: readonly ProviderCallCount[]): Promise<void> {
  if (counts.length === 0) return
  await trx.raw(
    `insert into provider_calls as p (minute, provider, calls, failed)
     select to_timestamp(minute * 60), provider, sum(calls), sum(failed)
     from jsonb_to_recordset(?) as g (minute bigint, provider text, calls bigint, failed bigint)
     group by 1, 2
     order by 1, 2
     on conflict (minute, provider) do update
       set calls = p.calls + excluded.calls, failed = p.failed + excluded.failed`,
    [JSON.stringify(counts)],
  )
}

export async function setCircuits(
  trx: Knex.Transaction,
  source: string,
  circuits: readonly { provider: Provider; state: CircuitState }[],
): Promise<void> {
  if (circuits.length === 0) return
  await trx('provider_circuits')
    .insert(circuits.map((circuit) => ({ ...circuit, source, reported_at: trx.fn.now() })))
    .onConflict(['source', 'provider'])
    .merge()
}

export async function sumProviderCalls(
  knex: Knex,
  since: Date,
): Promise<{ provider: Provider; calls: number; failed: number }[]> {
  const { rows } = await knex.raw(
    `select provider, sum(calls)::bigint as calls, sum(failed)::bigint as failed from provider_calls
     where minute > ?
     group by 1`,
    [since],
  )
  return rows
}

/** Lists the states of each provider's circuit that replicas reported since a time. */
export async function listCircuits(knex: Knex, since: Date): Promise<{ provider: Provider; state: CircuitState }[]> {
  return knex('provider_circuits').where('reported_at', '>', since).distinct('provider', 'state')
}
