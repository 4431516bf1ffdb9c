import { createReason, loginExplanations, type loginProcedures } from '#admin-api'
import { limits } from '#contracts'
import { toTimestamp, toTimestampOrNull } from '#runtime'
import { AdminFault } from '../admin-fault.ts'
import { formatLoginCursor, formatPosition, parseLoginCursor, parsePosition } from '../domain/login-cursor.ts'
import { findLogEntry, groupLogEntries, listEndedEntries, listLogEntries } from '../store/login-log.ts'
import { readLoginLog } from '../store/login-logs.ts'
import { findRejectedRedemption, findRejection } from '../store/rejections.ts'
import type { AdminHandlers } from './admin-handler.ts'
import { explainRejection } from './explain-rejection.ts'
import { describeSteps, toLogEntry } from './login-entry.ts'
import { resolveSite } from './resolve-site.ts'

export const loginHandlers = {
  async listSiteLogins({ account, site_id, cursor, limit, ...filter }, deps, { call }) {
    const { site } = await resolveSite({ account, site_id }, deps, call)
    const after = cursor === undefined ? undefined : requireParsed('cursor', parseLoginCursor(cursor))
    const [entries, { complete_since }] = await Promise.all([
      // One more than requested, to know whether there are more.
      listLogEntries(deps.knex, { site, ...filter }, { after, limit: limit + 1 }, deps.now()),
      readLoginLog(deps.knex, site),
    ])
    const last = entries.length > limit ? entries[limit - 1] : undefined
    return {
      logins: entries.slice(0, limit).map(toLogEntry),
      next_cursor: last === undefined ? null : formatLoginCursor(last),
      complete_since: toTimestampOrNull(complete_since),
    }
  },

  async groupSiteLogins({ account, site_id, ...filter }, deps, { call }) {
    const { site } = await resolveSite({ account, site_id }, deps, call)
    const maximum = limits.login_groups_maximum
    const [groups, { complete_since }] = await Promise.all([
      groupLogEntries(deps.knex, { site, ...filter }, maximum + 1, deps.now()),
      readLoginLog(deps.knex, site),
    ])
    return {
      groups: groups.slice(0, maximum).map((group) => ({
        ...group,
        explanation: loginExplanations[group.reason],
        first_at: toTimestamp(group.first_at),
        last_at: toTimestamp(group.last_at),
      })),
      more: groups.length > maximum,
      complete_since: toTimestampOrNull(complete_since),
    }
  },

  async listEndedLogins({ account, site_id, after, limit }, deps, { call }) {
    const { site } = await resolveSite({ account, site_id }, deps, call)
    // Read first: all logins until this position are visible to the next statement.
    const { position } = await readLoginLog(deps.knex, site)
    const end = formatPosition(position)
    if (after === 'newest') return { logins: [], next_after: end, more: false }
    const start =
      after === undefined ? { position: 0, login_id: nilUuid } : requireParsed('after', parsePosition(after))
    const range = { after: start, until: position, limit: limit + 1 }
    const entries = await listEndedEntries(deps.knex, site, range, deps.now())
    const last = entries.length > limit ? entries[limit - 1] : undefined
    return {
      logins: entries.slice(0, limit).map(toLogEntry),
      next_after: last === undefined ? end : formatPosition(last.position ?? position, last.login_id),
      more: last !== undefined,
    }
  },

  async readSiteLogin({ login_id, ...name }, deps, { call }) {
    const { site } = await resolveSite(name, deps, call)
    const entry = await findLogEntry(deps.knex, { site, login_id }, deps.now())
    if (entry === undefined)
      throw new AdminFault('not_found', { reason: createReason('login_not_found'), field: 'login_id' })
    const isRequest = entry.started_by === login_id && entry.result === 'rejected'
    const rejection = isRequest
      ? await findRejection(deps.knex, { site, request_id: login_id })
      : await findRejectedRedemption(deps.knex, { site, login_id })
    return {
      ...toLogEntry(entry),
      explanation: loginExplanations[entry.reason],
      steps: describeSteps(entry),
      started_by: entry.started_by,
      ended_by: entry.ended_by,
      rejection: rejection === undefined ? null : explainRejection(rejection),
    }
  },
} satisfies AdminHandlers<keyof typeof loginProcedures>

/** Before every login of a position. */
const nilUuid = '00000000-0000-0000-0000-000000000000'

/** @throws AdminFault if the text was not parsed */
function requireParsed<T>(field: string, parsed: T | undefined): T {
  if (parsed === undefined) throw new AdminFault('invalid_request', { field, reason: createReason('not_a_next') })
  return parsed
}
