import { defineStatement, type Executor } from '#database'

const upsertUse = defineStatement<never>(
  `insert into host_uses (site, client_id, host, last_used_on) values ($1, $2, $3, current_date)
   on conflict (site, client_id, host) do update set last_used_on = excluded.last_used_on`,
)

/** Records that a client used a host today; an empty host is the installation's own. */
export async function storeHostUse(
  executor: Executor,
  { site, client_id, host }: { readonly site: number; readonly client_id: string; readonly host: string },
): Promise<void> {
  await upsertUse(executor, [site, client_id, host])
}

const selectUses = defineStatement<{ host: string; client_id: string; client_name: string; last_used_on: string }>(
  `select host, client_id, name as client_name, to_char(last_used_on, 'YYYY-MM-DD') as last_used_on
   from host_uses join clients using (site, client_id) where site = $1 order by last_used_on desc, name, host`,
)

/** When the clients of a site last used which host, the latest first. */
export async function listHostUses(executor: Executor, site: number) {
  return (await selectUses(executor, [site])).rows
}
