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
  await trx.raw(
    `insert into provider_circuits as c (source, provider, state, reported_at, troubled_since)
     select :source, provider, state, now(), case when state <> 'closed' then now() end
     from jsonb_to_recordset(:json) as g (provider text, state text)
     on conflict (source, provider) do update
       set state = excluded.state, reported_at = excluded.reported_at,
           troubled_since = case when excluded.state <> 'closed' then coalesce(c.troubled_since, excluded.troubled_since) end`,
    { source, json: JSON.stringify(circuits) },
  )
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

/** Lists the providers whose circuit a running replica has not seen closed for so long, with the time since when. */
export async function listTroubledProviders(
  knex: Knex,
  { reportedWithinSeconds, forSeconds }: { readonly reportedWithinSeconds: number; readonly forSeconds: number },
): Promise<{ provider: Provider; since: Date }[]> {
  const { rows } = await knex.raw(
    `select provider, min(troubled_since) as since from provider_circuits
     where reported_at > now() - make_interval(secs => ?) and troubled_since <= now() - make_interval(secs => ?)
     group by 1`,
    [reportedWithinSeconds, forSeconds],
  )
  return rows
}
