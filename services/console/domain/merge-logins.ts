import type { LoginEnd, LoginLogRecord, LoginStart, RejectionReason, RejectionRecord } from '#contracts'

/** What is known about a login. Times are Unix times in milliseconds. */
export interface ReportedLogin extends LoginLogRecord {
  /** The first rejected exchange of its code. */
  readonly redemption_rejection: { readonly at: number; readonly reason: RejectionReason } | null
}

/** The logins of records, with one entry for each login. The result does not depend on the order of the records. */
export function mergeLogins(records: readonly LoginLogRecord[]): ReportedLogin[] {
  return mergeById(records.map((record) => ({ ...record, redemption_rejection: null })))
}

/** The logins whose codes were to be exchanged by rejected requests. */
export function listUnredeemedLogins(rejections: readonly RejectionRecord[]): ReportedLogin[] {
  const logins = rejections.flatMap(({ site, login_id, at, reason }): ReportedLogin[] =>
    site === null || login_id === null
      ? []
      : [{ site, login_id, start: null, end: null, redeemed_at: null, redemption_rejection: { at, reason } }],
  )
  return mergeById(logins)
}

function mergeById(logins: readonly ReportedLogin[]): ReportedLogin[] {
  const byId = Map.groupBy(logins, ({ site, login_id }) => `${site} ${login_id}`)
  return [...byId.values()].map((same) => same.reduce(merge))
}

function merge(one: ReportedLogin, other: ReportedLogin): ReportedLogin {
  return {
    ...one,
    start: mergeStarts(one.start, other.start),
    end: findEarliest(one.end, other.end),
    redeemed_at: findSmallest(one.redeemed_at, other.redeemed_at),
    redemption_rejection: findEarliest(one.redemption_rejection, other.redemption_rejection),
  }
}

/** Only one of the records has the browser and the request. */
function mergeStarts(one: LoginStart | null, other: LoginStart | null): LoginStart | null {
  if (one === null || other === null) return one ?? other
  return {
    ...one,
    browser: one.browser ?? other.browser,
    country: one.country ?? other.country,
    request_id: one.request_id ?? other.request_id,
  }
}

/** A login that ended twice, because a replica did not know of the first end, keeps the first one. */
function findEarliest<T extends Pick<LoginEnd, 'at'>>(one: T | null, other: T | null): T | null {
  if (one === null || other === null) return one ?? other
  return other.at < one.at ? other : one
}

function findSmallest(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other
  return Math.min(one, other)
}
