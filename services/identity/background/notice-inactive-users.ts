import type { Knex } from 'knex'
import { storeEvents, transaction } from '#database'
import { type Logger, repeatInBackground } from '#runtime'
import { deletionTimeOf } from '../domain/deletion-time.ts'
import { deletionCanceledEvent, deletionRequestedEvent } from '../domain/user-events.ts'
import { readClock } from '../store/clock.ts'
import {
  type ActiveRule,
  beforeEveryInactive,
  deleteInactivityDeletion,
  doesRuleApply,
  type InactivityKind,
  inactivityKinds,
  insertInactivityDeletion,
  listAnnouncedUsers,
  listInactiveUsers,
  lockInactiveUser,
} from '../store/inactive-users.ts'
import { type DueRule, listDueRules, postponeLook, takeDueRule } from '../store/inactivity-rules.ts'
import { findUserDeletion } from '../store/user-deletions.ts'
import { lockUser, type UserKey } from '../store/users.ts'

// Our choices: rules are in days, so hours do not matter; a page takes seconds, and a replica has its rule for minutes.
const intervalMs = 5_000
const rulesPerLook = 20
const usersPerPage = 500
const leaseSeconds = 300
const pauseSeconds = 6 * 3_600

interface Parts {
  readonly knex: Knex
  readonly logger: Logger
}

/**
 * Announces the deletion of users that the rule of their site is for, every six hours and after a change of the rule, and cancels
 * announced deletions to which it no longer applies, until disposed. Each user is changed in a transaction that checks the rule
 * again, so replicas and repeats can look at the same user.
 */
export function startNoticingInactiveUsers({ knex, logger }: Parts): Disposable {
  const stop = new AbortController()
  const loop = repeatInBackground(() => lookAtDueRules(knex, stop.signal), {
    intervalMs,
    logger,
    failure: 'inactive users not announced; retrying',
  })
  return {
    [Symbol.dispose]() {
      stop.abort()
      loop[Symbol.dispose]()
    },
  }
}

async function lookAtDueRules(knex: Knex, signal: AbortSignal): Promise<void> {
  for (const rule of await listDueRules(knex, rulesPerLook))
    if (!signal.aborted && (await takeDueRule(knex, rule, leaseSeconds))) await applyRule(knex, rule, signal)
}

/** One pass over the users of a rule. A pass that ends early is repeated when its lease has ended. */
async function applyRule(knex: Knex, rule: DueRule, signal: AbortSignal): Promise<void> {
  const { site, delete_after_days } = rule
  const keepLease = async () => {
    await postponeLook(knex, rule, leaseSeconds)
    return !signal.aborted
  }
  if (!(await cancelOutdated(knex, site, keepLease))) return
  if (delete_after_days !== null) {
    const activeRule = { ...rule, delete_after_days }
    for (const kind of inactivityKinds) if (!(await announceAll(knex, activeRule, kind, keepLease))) return
  }
  await postponeLook(knex, rule, delete_after_days === null ? null : pauseSeconds)
}

/** @returns false if the pass ended early */
async function cancelOutdated(knex: Knex, site: number, keepLease: () => Promise<boolean>): Promise<boolean> {
  let identifier = ''
  for (;;) {
    const users = await listAnnouncedUsers(knex, { site, identifier }, usersPerPage)
    for (const user of users) if (!user.applies) await cancelUnlessApplies(knex, { site, identifier: user.identifier })
    const last = users.at(-1)
    if (last === undefined || users.length < usersPerPage) return true
    identifier = last.identifier
    if (!(await keepLease())) return false
  }
}

/** @returns false if the pass ended early */
async function announceAll(
  knex: Knex,
  rule: ActiveRule & { readonly site: number },
  kind: InactivityKind,
  keepLease: () => Promise<boolean>,
): Promise<boolean> {
  const { site } = rule
  let after = beforeEveryInactive
  for (;;) {
    const users = await listInactiveUsers(knex, site, rule, { kind, after, limit: usersPerPage })
    for (const { identifier, applies } of users) if (applies) await announceDeletion(knex, { site, identifier })
    const last = users.at(-1)
    if (last === undefined || users.length < usersPerPage) return true
    after = last
    if (!(await keepLease())) return false
  }
}

async function announceDeletion(knex: Knex, user: UserKey): Promise<void> {
  await transaction(knex, async (trx) => {
    const inactive = await lockInactiveUser(trx, user)
    // The user's own request goes first.
    if (inactive === undefined || (await findUserDeletion(trx, user)) !== undefined) return
    const { primary_key, notice_days } = inactive
    const time = await readClock(trx)
    const deleteAt = deletionTimeOf(time, notice_days)
    const event = deletionRequestedEvent({ ...user, primary_key, time }, deleteAt, 'inactivity')
    await insertInactivityDeletion(trx, user, { time, delete_at: deleteAt }, event)
  })
}

async function cancelUnlessApplies(knex: Knex, user: UserKey): Promise<void> {
  await transaction(knex, async (trx) => {
    const locked = await lockUser(trx, user)
    const deletion = await findUserDeletion(trx, user)
    if (locked === undefined || deletion?.cause !== 'inactivity' || (await doesRuleApply(trx, user))) return
    const { primary_key } = locked
    await deleteInactivityDeletion(trx, user, null)
    await storeEvents(trx, [deletionCanceledEvent({ ...user, primary_key, time: await readClock(trx) })])
  })
}
