import type { Knex } from 'knex'
import { defineStatement } from '#database'

const selectSetting = defineStatement<{ profile_in_events: boolean }>(
  'select profile_in_events from event_settings where site = $1',
)

/** Whether events of a site contain profiles. */
export async function isProfileInEvents(trx: Knex.Transaction, site: number): Promise<boolean> {
  return (await selectSetting(trx, [site])).rows[0]?.profile_in_events ?? false
}

const upsert = defineStatement(
  `insert into event_settings as stored (site, revision, profile_in_events) values ($1, $2, $3)
   on conflict (site) do update set revision = excluded.revision, profile_in_events = excluded.profile_in_events
   where stored.revision < excluded.revision`,
)

/** Stores the setting of a site, unless a newer revision is stored. */
export async function upsertEventSettings(
  knex: Knex,
  { site, revision, profile_in_events }: { site: number; revision: number; profile_in_events: boolean },
): Promise<void> {
  await upsert(knex, [site, revision, profile_in_events])
}
