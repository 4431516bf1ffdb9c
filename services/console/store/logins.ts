import type { Knex } from 'knex'
import type { ReportedLogin } from '../domain/merge-logins.ts'

/** Columns that each report of a login has with the same value, or as null. */
const startColumns = ['kind', 'provider', 'client_id', 'is_test', 'browser', 'country', 'started_by'] as const

/** Columns of the end, of which the earliest counts. */
const endColumns = {
  returned_at: 'timestamptz',
  ended_at: 'timestamptz',
  end_result: 'text',
  end_reason: 'text',
  error: 'text',
  identifier: 'text',
  is_new_user: 'boolean',
  has_code: 'boolean',
  provider_ms: 'integer',
  recording_ms: 'integer',
  callback_ms: 'integer',
  ended_by: 'uuid',
} as const

const endNames = Object.keys(endColumns).join(', ')
const reportedColumns = `site, login_id, at, ${startColumns.join(', ')}, ${endNames}, redeemed_at,
  redemption_rejected_at, redemption_reason, position`

const isEarlierEnd = `excluded.ended_at < coalesce(l.ended_at, 'infinity')`
const isEarlierRejection = `excluded.redemption_rejected_at < coalesce(l.redemption_rejected_at, 'infinity')`

/** The position of a login changes when it ends, and when its code cannot be exchanged. */
const changesResult = `l.ended_at is null and excluded.ended_at is not null
  or l.redemption_reason is null and l.redeemed_at is null and excluded.redemption_reason is not null`

const upsert = `
  insert into logins as l (${reportedColumns})
  select ${reportedColumns}
  from jsonb_to_recordset(?) as g (site int, login_id uuid, at timestamptz, kind text, provider text, client_id text,
    is_test boolean, browser text, country text, started_by uuid,
    ${Object.entries(endColumns)
      .map(([name, type]) => `${name} ${type}`)
      .join(', ')},
    redeemed_at timestamptz, redemption_rejected_at timestamptz, redemption_reason text, position bigint)
  order by site, login_id
  on conflict (site, login_id) do update set
    at = case when excluded.kind is not null then excluded.at
              when l.kind is not null then l.at
              else least(l.at, excluded.at) end,
    ${startColumns.map((name) => `${name} = coalesce(l.${name}, excluded.${name})`).join(', ')},
    ${Object.keys(endColumns)
      .map((name) => `${name} = case when ${isEarlierEnd} then excluded.${name} else l.${name} end`)
      .join(', ')},
    redeemed_at = least(l.redeemed_at, excluded.redeemed_at),
    redemption_rejected_at = least(l.redemption_rejected_at, excluded.redemption_rejected_at),
    redemption_reason = case when ${isEarlierRejection} then excluded.redemption_reason else l.redemption_reason end,
    position = case when ${changesResult} then excluded.position else l.position end`

/**
 * Adds what is known about logins to what was reported before. The result does not depend on the order of reports.
 *
 * @param positions of the sites
 */
export async function upsertLoginRecords(
  trx: Knex.Transaction,
  logins: readonly ReportedLogin[],
  positions: ReadonlyMap<number, number>,
): Promise<void> {
  if (logins.length === 0) return
  await trx.raw(upsert, [JSON.stringify(logins.map((login) => toRow(login, positions)))])
}

function toRow(login: ReportedLogin, positions: ReadonlyMap<number, number>) {
  const { site, login_id, start, end, redeemed_at, redemption_rejection: rejection } = login
  const times = [start?.at, end?.at, redeemed_at, rejection?.at].filter((time) => typeof time === 'number')
  return {
    site,
    login_id,
    at: toDate(start?.at ?? Math.min(...times)),
    kind: start?.kind,
    provider: start?.provider,
    client_id: start?.client_id,
    is_test: start?.is_test,
    browser: start?.browser,
    country: start?.country,
    started_by: start?.request_id,
    returned_at: toDate(end?.returned_at),
    ended_at: toDate(end?.at),
    end_result: end?.result,
    end_reason: end?.reason,
    error: end?.error,
    identifier: end?.identifier,
    is_new_user: end?.is_new_user,
    has_code: end?.has_code,
    provider_ms: end?.provider_ms,
    recording_ms: end?.recording_ms,
    callback_ms: end?.callback_ms,
    ended_by: end?.request_id,
    redeemed_at: toDate(redeemed_at),
    redemption_rejected_at: toDate(rejection?.at),
    redemption_reason: rejection?.reason,
    position: end === null && rejection === null ? null : positions.get(site),
  }
}

function toDate(time: number | null | undefined): Date | undefined {
  return typeof time === 'number' ? new Date(time) : undefined
}
