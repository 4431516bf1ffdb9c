import type { Reader } from './reader.ts'
import type { LogPosition } from './replica-age.ts'
import { defineStatement } from './statement.ts'

const bytes = (position: string) => `pg_wal_lsn_diff(${position}, '0/0')::bigint`

/** Functions that a server can run only as a primary, or only as a standby, are in branches. */
const positionOfServer = defineStatement<LogPosition & { readonly is_standby: boolean }>(
  `select pg_is_in_recovery() as is_standby,
     (select system_identifier::text from pg_control_system()) as cluster,
     case when pg_is_in_recovery()
       then (select greatest(timeline_id, min_recovery_end_timeline) from pg_control_checkpoint(), pg_control_recovery())
       else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer end as timeline,
     case when pg_is_in_recovery() then ${bytes('pg_last_wal_replay_lsn()')} else ${bytes('pg_current_wal_lsn()')} end
       as position`,
)

/** Asks a server where it is in the log of changes. */
export async function readLogPosition(reader: Reader): Promise<LogPosition & { readonly isStandby: boolean }> {
  const [row] = (await positionOfServer(reader, [])).rows
  if (row === undefined) throw new Error('The statement returned no row.')
  const { is_standby: isStandby, cluster, timeline, position } = row
  return { isStandby, cluster, timeline, position }
}
