import type { Knex } from 'knex'
import type { AuditStreamKind } from '#admin-api'
import { backlogOfStream } from './audit-streams.ts'

/** The enabled streams of a kind and state, of accounts or of the installation. */
interface MeasuredStreams {
  readonly scope: 'account' | 'installation'
  readonly kind: AuditStreamKind
  /** Whether the last attempt failed. */
  readonly state: 'sending' | 'failing'
  /** Records that were not sent yet, of all these streams. */
  readonly backlog: number
  /** Age of the oldest one in seconds; null if there is none. */
  readonly oldest_age: number | null
}

export async function measureAuditStreams(knex: Knex): Promise<MeasuredStreams[]> {
  const { rows } = await knex.raw<{ rows: MeasuredStreams[] }>(
    `select case when s.account is null then 'installation' else 'account' end as scope, s.kind,
       case when s.failing_since is null then 'sending' else 'failing' end as state,
       sum(behind.backlog)::integer as backlog, max(behind.oldest_age) as oldest_age
     from audit_streams s ${backlogOfStream} where s.enabled group by 1, 2, 3`,
  )
  return rows
}
