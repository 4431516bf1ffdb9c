import { Fault, type InactivityRule, limits } from '#contracts'
import { transaction } from '#database'
import type { IdentityHandlers } from '../deps.ts'
import { type ActiveRule, countInactiveUsers, inactivityKinds } from '../store/inactive-users.ts'
import { findInactivityRule, storeInactivityRule } from '../store/inactivity-rules.ts'
import { lockSite } from '../store/sites.ts'

const noRule: InactivityRule = { delete_after_days: null, notice_days: 30, include_mapped: false, revision: 0 }

export const readInactivityRule: IdentityHandlers['readInactivityRule'] = async ({ site }, { knex }) =>
  (await findInactivityRule(knex, site)) ?? noRule

export const changeInactivityRule: IdentityHandlers['changeInactivityRule'] = async (
  { site, delete_after_days, notice_days, include_mapped, expected_revision },
  { knex },
) => {
  requireNoticeBefore(delete_after_days, notice_days)
  return transaction(knex, async (trx) => {
    if ((await lockSite(trx, site)) === undefined) throw new Fault('entity_not_found')
    const before = (await findInactivityRule(trx, site)) ?? noRule
    if (before.revision !== expected_revision) throw new Fault('changed_meanwhile')
    const after = { delete_after_days, notice_days, include_mapped, revision: before.revision + 1 }
    await storeInactivityRule(trx, site, after)
    return after
  })
}

export const previewInactivityRule: IdentityHandlers['previewInactivityRule'] = async (
  { site, delete_after_days, notice_days, include_mapped },
  { knex },
) => {
  if (delete_after_days === null) return { users: 0, complete: true }
  requireNoticeBefore(delete_after_days, notice_days)
  const rule: ActiveRule = { delete_after_days, notice_days, include_mapped }
  let users = 0
  let complete = true
  for (const kind of inactivityKinds) {
    const limit = limits.inactivity_previewed_users
    const counted = await countInactiveUsers(knex, site, rule, { kind, limit })
    users += counted.users
    complete &&= counted.scanned < limit
  }
  return { users, complete }
}

/** @throws Fault `invalid_parameter` */
function requireNoticeBefore(deleteAfterDays: number | null, noticeDays: number): void {
  if (deleteAfterDays === null || noticeDays < deleteAfterDays) return
  const reason = `must be less than delete_after_days, which is ${deleteAfterDays}`
  throw new Fault('invalid_parameter', { fields: [{ field: 'notice_days', reason }] })
}
