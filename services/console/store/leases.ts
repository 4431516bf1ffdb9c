import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'

/** Names this process in leases. */
export type LeaseHolder = string

export function createLeaseHolder(): LeaseHolder {
  return randomUUID()
}

/** Takes or extends a lease. @returns false if another process has it */
export async function takeLease(
  knex: Knex,
  { name, holder, seconds }: { readonly name: string; readonly holder: LeaseHolder; readonly seconds: number },
): Promise<boolean> {
  const { rowCount } = await knex.raw<{ rowCount: number }>(
    `insert into leases as l (name, holder, leased_until) values (:name, :holder, now() + make_interval(secs => :seconds))
     on conflict (name) do update set holder = excluded.holder, leased_until = excluded.leased_until
       where l.holder = excluded.holder or l.leased_until < now()`,
    { name, holder, seconds },
  )
  return rowCount === 1
}
