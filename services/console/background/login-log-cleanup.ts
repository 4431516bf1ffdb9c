import type { Knex } from 'knex'
import { limits } from '#contracts'
import { startCleanup } from '#runtime'
import type { Deps } from '../deps.ts'
import { addSeconds, daySeconds } from '../domain/time.ts'
import { deleteInBatches } from '../store/delete-in-batches.ts'
import { listReportedSites, markIncomplete } from '../store/login-logs.ts'

/** Sites without reports since the last cleanup have no new logins above the limit. */
const recentSeconds = 3_600

/** Deletes old logins and rejected requests regularly, until disposed. */
export function startLoginLogCleanup({
  knex,
  loginLogDays,
  now,
  ...parts
}: Pick<Deps, 'knex' | 'loginLogDays' | 'now' | 'logger' | 'registry'>): Disposable {
  return startCleanup('logins', () => cleanUpLoginLog(knex, loginLogDays, now()), parts)
}

export async function cleanUpLoginLog(
  knex: Knex,
  days: number,
  now: Date,
  maxPerSite: number = limits.stored_logins_per_site,
): Promise<void> {
  const oldest = addSeconds(now, -days * daySeconds)
  for (const table of ['logins', 'rejections']) await deleteInBatches(knex, table, knex(table).where('at', '<', oldest))
  await knex('login_logs').where('complete_since', '<', oldest).update({ complete_since: null })
  for (const site of await listReportedSites(knex, addSeconds(now, -recentSeconds)))
    await deleteSurplus(knex, site, maxPerSite)
}

/** Deletes the oldest logins of a site above the limit. */
async function deleteSurplus(knex: Knex, site: number, maxPerSite: number): Promise<void> {
  const newest = knex('logins').where({ site }).orderBy('at', 'desc')
  const surplus: { at: Date } | undefined = await newest.offset(maxPerSite).first('at')
  if (surplus === undefined) return
  await markIncomplete(knex, [site], surplus.at)
  await deleteInBatches(knex, 'logins', knex('logins').where({ site }).where('at', '<=', surplus.at))
}
