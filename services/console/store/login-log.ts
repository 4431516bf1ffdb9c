import type { Knex } from 'knex'
import type { LoginResult } from '#admin-api'
import { type BrowserFamily, type LoginKind, type LoginReason, limits, type Provider } from '#contracts'
import { addSeconds } from '../domain/time.ts'

/** A login, or a request that was rejected before there was one. Null: unknown, or the login has not reached the step. */
export interface LoginEntry {
  /** The ID of the login, or of the rejected request. */
  readonly login_id: string
  readonly at: Date
  readonly kind: LoginKind | 'token'
  readonly provider: Provider | null
  readonly client_id: string | null
  readonly result: LoginResult
  readonly reason: LoginReason
  readonly error: string | null
  readonly identifier: string | null
  readonly is_new_user: boolean | null
  readonly browser: BrowserFamily | null
  readonly country: string | null
  readonly is_test: boolean
  readonly started_by: string | null
  readonly ended_by: string | null
  readonly returned_at: Date | null
  readonly ended_at: Date | null
  readonly provider_ms: number | null
  readonly recording_ms: number | null
  readonly callback_ms: number | null
  readonly redeemed_at: Date | null
  readonly redemption_rejected_at: Date | null
  /** Of the report that ended the login. */
  readonly position: number | null
}

/**
 * The entries, from one source each: logins whose start is known, and rejected requests that belong to no login. The select
 * lists have no conditions of their own, because Postgres then reads both indexes in the order of the result.
 */
const loginLog = `(
  select site, login_id, at, kind is not null as is_shown, kind, provider, client_id,
    case when result = 'waiting' and at < :return_deadline then 'abandoned' else result end as result,
    case result
      when 'waiting' then case when at < :return_deadline then 'not_returned' else 'not_returned_yet' end
      when 'completed' then case when code_issued_at < :redemption_deadline then 'code_not_redeemed' else 'succeeded' end
      else reason end as reason,
    error, identifier, is_new_user, browser, country, is_test, started_by, ended_by, returned_at, ended_at,
    provider_ms, recording_ms, callback_ms, redeemed_at, redemption_rejected_at, position
  from logins
  union all
  select site, request_id, at, login_id is null,
    coalesce(kind, case endpoint when 'token' then 'token' when 'native_login' then 'native' else 'openid' end),
    provider, client_id, 'rejected', reason, error, null, null, browser, country, false, request_id, request_id, null, at,
    null, null, null, null, null, position
  from rejections) as l`

/** Which entries of a site. Without a field: all. */
export interface LoginFilter {
  readonly site: number
  readonly provider?: Provider | undefined
  readonly client_id?: string | undefined
  readonly result?: LoginResult | undefined
  readonly reason?: LoginReason | undefined
  readonly identifier?: string | undefined
  /** Inclusive. */
  readonly since?: string | undefined
  /** Exclusive. */
  readonly until?: string | undefined
}

/** The place of an entry in the list of the newest. */
export interface LoginCursor {
  readonly at: Date
  readonly login_id: string
}

/** The place of an entry in the order in which logins ended. */
export interface EndPosition {
  readonly position: number
  readonly login_id: string
}

const equalFields = ['provider', 'client_id', 'result', 'reason', 'identifier'] as const

/** The conditions of a filter, whose values are named bindings. */
function toConditions(filter: LoginFilter): string[] {
  return [
    'site = :site',
    'is_shown',
    ...equalFields.filter((field) => filter[field] !== undefined).map((field) => `${field} = :${field}`),
    ...(filter.since === undefined ? [] : ['at >= :since']),
    ...(filter.until === undefined ? [] : ['at < :until']),
  ]
}

/** When logins must have returned, and codes been exchanged, to count as in progress now. */
function toDeadlines(now: Date) {
  return {
    return_deadline: addSeconds(now, -limits.pending_login_seconds),
    redemption_deadline: addSeconds(now, -limits.authorization_code_seconds),
  }
}

/** The newest entries, or those after the cursor. */
export function listLogEntries(
  knex: Knex,
  filter: LoginFilter,
  { after, limit }: { readonly after: LoginCursor | undefined; readonly limit: number },
  now: Date,
): Promise<LoginEntry[]> {
  const conditions = [...toConditions(filter), ...(after ? ['(at, login_id) < (:after_at, :after_id::uuid)'] : [])]
  const bindings = { ...filter, limit, after_at: after?.at, after_id: after?.login_id }
  return selectPage(knex, conditions, 'at desc, login_id desc', bindings, now)
}

/** The entries of a site that ended after a position and until another one, in this order. */
export function listEndedEntries(
  knex: Knex,
  site: number,
  { after, until, limit }: { readonly after: EndPosition; readonly until: number; readonly limit: number },
  now: Date,
): Promise<LoginEntry[]> {
  const conditions = [
    ...toConditions({ site }),
    '(position, login_id) > (:after_position, :after_id::uuid)',
    'position <= :until_position',
  ]
  const bindings = {
    site,
    limit,
    after_position: after.position,
    after_id: after.login_id,
    until_position: until,
  }
  return selectPage(knex, conditions, 'position, login_id', bindings, now)
}

/** Reads the entries of a page, which the index finds without their rows. */
async function selectPage(
  knex: Knex,
  conditions: readonly string[],
  order: string,
  bindings: Readonly<Record<string, unknown>>,
  now: Date,
): Promise<LoginEntry[]> {
  const { rows } = await knex.raw<{ rows: LoginEntry[] }>(
    `select * from ${loginLog} where site = :site and is_shown and login_id = any(array(
       select login_id from ${loginLog} where ${conditions.join(' and ')} order by ${order} limit :limit))
     order by ${order}`,
    { ...bindings, ...toDeadlines(now) },
  )
  return rows
}

export async function findLogEntry(
  knex: Knex,
  { site, login_id }: { readonly site: number; readonly login_id: string },
  now: Date,
): Promise<LoginEntry | undefined> {
  const { rows } = await knex.raw<{ rows: LoginEntry[] }>(
    `select * from ${loginLog} where site = :site and is_shown and login_id = :login_id`,
    { site, login_id, ...toDeadlines(now) },
  )
  return rows[0]
}

/** Entries with the same result, reason, provider and client. */
export interface LoginGroup extends Pick<LoginEntry, 'result' | 'reason' | 'provider' | 'client_id'> {
  readonly count: number
  readonly first_at: Date
  readonly last_at: Date
  readonly newest_login_id: string
}

/** The largest groups of entries. */
export async function groupLogEntries(
  knex: Knex,
  filter: LoginFilter,
  limit: number,
  now: Date,
): Promise<LoginGroup[]> {
  const conditions = toConditions(filter).join(' and ')
  const { rows } = await knex.raw<{ rows: LoginGroup[] }>(
    `with groups as (
       select result, reason, provider, client_id, count(*), min(at) as first_at, max(at) as last_at
       from ${loginLog} where ${conditions}
       group by result, reason, provider, client_id
       order by count(*) desc, max(at) desc limit :limit)
     select g.*, n.login_id as newest_login_id
     from groups g cross join lateral (
       select login_id from ${loginLog}
       where ${conditions} and at = g.last_at and result = g.result and reason = g.reason
         and provider is not distinct from g.provider and client_id is not distinct from g.client_id
       order by login_id desc limit 1) as n
     order by g.count desc, g.last_at desc`,
    { ...filter, limit, ...toDeadlines(now) },
  )
  return rows
}
