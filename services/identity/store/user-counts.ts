import type { Knex } from 'knex'
import { transaction } from '#database'
import type { BucketRange } from '../domain/periods.ts'
import type { UserFilter } from './user-filter.ts'

/** An arbitrary number, the same in every replica. */
const lockNumber = 7_305_003

/**
 * Rolls up to `atMost` deltas up into their cells, unless another replica does it at the moment.
 *
 * @returns the number of deltas
 */
export async function rollUpUserCounts(knex: Knex, atMost: number): Promise<number> {
  return transaction(knex, async (trx) => {
    const lock = await trx.raw<{ rows: { taken: boolean; is_distributed: boolean }[] }>(
      'select pg_try_advisory_xact_lock(?) as taken, statements_count_users() as is_distributed',
      [lockNumber],
    )
    const [row] = lock.rows
    if (!row?.taken) return 0
    if (!row.is_distributed) return rollUp(trx, atMost)
    let processed = 0
    for (const site of await listSitesWithDeltas(trx, atMost)) processed += await rollUp(trx, atMost, site)
    return processed
  })
}

/** @param site required if the table is distributed: rows are found by their places in one shard */
async function rollUp(trx: Knex.Transaction, atMost: number, site?: number): Promise<number> {
  const condition = site === undefined ? 'true' : 'site = :site::integer'
  const { rows } = await trx.raw<{ rows: { processed: number }[] }>(
    `with taken as (
         delete from user_count_deltas
         where ${condition} and ctid = any(array(select ctid from user_count_deltas where ${condition} limit :atMost))
         returning *
       ), processed as (
         insert into user_counts as cell
         select t.site, c.registration_shift, c.login_shift, c.registration, c.login, sum(t.n_all), sum(t.n_mapped)
         from taken t cross join lateral user_count_cells(t.registration, t.login) c
         group by 1, 2, 3, 4, 5
         on conflict on constraint user_counts_pk
         do update set n_all = cell.n_all + excluded.n_all, n_mapped = cell.n_mapped + excluded.n_mapped
       )
       select count(*) as processed from taken`,
    { atMost, ...(site !== undefined && { site }) },
  )
  return rows[0]?.processed ?? 0
}

/** The sites of the first deltas. */
async function listSitesWithDeltas(trx: Knex.Transaction, deltas: number): Promise<number[]> {
  const { rows } = await trx.raw<{ rows: { site: number }[] }>(
    'select distinct site from (select site from user_count_deltas limit ?) as first',
    [deltas],
  )
  return rows.map(({ site }) => site)
}

/** Reclaims the space of processed deltas, so that readers do not scan it. */
export async function vacuumUserCountDeltas(knex: Knex): Promise<void> {
  await knex.raw('vacuum user_count_deltas')
}

/** Counts the users of all sites: each site's cell of all time, and the deltas. */
export async function countAllUsers(knex: Knex): Promise<number> {
  const { rows } = await knex.raw<{ rows: { total: number }[] }>(`
    select (
      (select coalesce(sum(c.n_all), 0) from sites s
       join user_counts c on c.site = s.site and c.registration_shift = 32 and c.login_shift = 32)
      + (select coalesce(sum(n_all), 0) from user_count_deltas)
    )::bigint as total`)
  return rows[0]?.total ?? 0
}

/** All time: the only bucket of shift 32. */
export const allTime: readonly BucketRange[] = [{ shift: 32, from: 0, below: null }]

/** Selects cells of these buckets, including deltas: rows with `registration` and `n`, the number of the filter's users. */
export function selectCells(
  knex: Knex,
  { site, mapped }: Pick<UserFilter, 'site' | 'mapped'>,
  { registration, login }: { registration: BucketRange; login: BucketRange },
): Knex.QueryBuilder {
  const n = { mapped_only: 'n_mapped', not_mapped_only: 'n_all - n_mapped', all: 'n_all' }[mapped ?? 'all']
  const cells = knex('user_counts_now').where({
    site,
    registration_shift: registration.shift,
    login_shift: login.shift,
  })
  for (const [column, { shift, from, below }] of [['registration', registration] as const, ['login', login] as const]) {
    // An equality condition, so that the index can scan a range of the other column.
    if (shift === 32) cells.where(column, 0)
    else cells.where(column, '>=', from)
    if (below !== null) cells.where(column, '<', below)
  }
  return knex.from(cells.select('registration', knex.raw(`${n} as n`)).as('cells'))
}
