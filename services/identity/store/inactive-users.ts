import type { Knex } from 'knex'
import type { InactivitySettings } from '#contracts'
import { defineStatement, type EventToStore, type Executor, insertOfEvent, toEventParameters } from '#database'
import type { UserKey } from './users.ts'

/** When the user was active last. */
const lastActivity = 'greatest(coalesce(last_logged_in_at, created_at), kept_at)'

/** Whether the columns of a rule, named `rule`, apply to those of a user. Users who are blocked now would return as new ones. */
const ruleApplies = `(rule.delete_after_days is not null
   and ${lastActivity} < now() - make_interval(days => rule.delete_after_days - rule.notice_days)
   and (rule.include_mapped or primary_key is null)
   and (blocked_at is null or coalesce(blocked_until <= now(), false)))`

/** Whether no deletion of a user of the subquery `inactive` is announced or requested. */
const isNotToBeDeleted = `(deletion_noticed_at is null and not exists (
  select from user_deletions where user_deletions.site = $1 and user_deletions.identifier = inactive.identifier))`

/** How users are found: by the last login, or those without one by their creation. Each has an index. */
export const inactivityKinds = ['last_logged_in_at', 'created_at'] as const
export type InactivityKind = (typeof inactivityKinds)[number]

/** The place of a user in the order of inactivity. The time is text, with the microseconds of Postgres. */
export interface InactivityPosition {
  readonly at: string
  readonly registration: string
  readonly identifier: string
}

export const beforeEveryInactive: InactivityPosition = { at: '-infinity', registration: '-1', identifier: '' }

const conditions = {
  last_logged_in_at: 'last_logged_in_at is not null',
  created_at: 'last_logged_in_at is null',
}

/** The users of a site who are inactive for the days of a rule, longest first. Parameters: site, days, position. */
const selectInOrder = (kind: InactivityKind, columns: string, limit: string) =>
  `select ${columns} from users
   where site = $1 and ${conditions[kind]} and ${kind} < now() - make_interval(days => $2)
     and (${kind}, registration, identifier) > ($3::timestamptz, $4::bigint, $5)
   order by ${kind}, registration, identifier
   limit ${limit}`

const userColumns = `identifier, registration, primary_key, last_logged_in_at, created_at, kept_at, blocked_at, blocked_until,
  deletion_noticed_at`

const definePage = (kind: InactivityKind) =>
  defineStatement<InactivityPosition & { readonly applies: boolean }>(
    `select ${kind}::text as at, registration::text as registration, identifier,
       ${isNotToBeDeleted} and ${ruleApplies} as applies
     from (${selectInOrder(kind, userColumns, '$6')}) as inactive
     cross join (select $7::integer as delete_after_days, $8::integer as notice_days, $9::boolean as include_mapped) as rule`,
  )
const pages = { last_logged_in_at: definePage('last_logged_in_at'), created_at: definePage('created_at') }

/** A rule that is on. */
export type ActiveRule = InactivitySettings & { readonly delete_after_days: number }

function toRuleParameters({ delete_after_days, notice_days, include_mapped }: InactivitySettings): unknown[] {
  return [delete_after_days, notice_days, include_mapped]
}

/**
 * Reads inactive users after a position, at most `limit`, and whether the rule applies to each. Users whose deletion is announced
 * are read, too, and it does not apply to them.
 */
export async function listInactiveUsers(
  executor: Executor,
  site: number,
  rule: ActiveRule,
  { kind, after, limit }: { readonly kind: InactivityKind; readonly after: InactivityPosition; readonly limit: number },
): Promise<(InactivityPosition & { readonly applies: boolean })[]> {
  const { at, registration, identifier } = after
  const days = rule.delete_after_days - rule.notice_days
  const values = [site, days, at, registration, identifier, limit, ...toRuleParameters(rule)]
  return (await pages[kind](executor, values)).rows
}

const lockInactive = defineStatement<{ readonly primary_key: string | null; readonly notice_days: number }>(
  `select primary_key, rule.notice_days
   from users join inactivity_rules rule using (site)
   where site = $1 and identifier = $2 and deletion_noticed_at is null and ${ruleApplies}
   for no key update of users`,
)

/** Locks a user if the rule of the site applies, and its deletion is not announced. */
export async function lockInactiveUser(
  trx: Knex.Transaction,
  { site, identifier }: UserKey,
): Promise<{ readonly primary_key: string | null; readonly notice_days: number } | undefined> {
  return (await lockInactive(trx, [site, identifier])).rows[0]
}

const insertNotice = defineStatement(
  `with stored as (${insertOfEvent(5)}),
     noticed as (update users set deletion_noticed_at = $3 where site = $1 and identifier = $2)
   insert into user_deletions (site, identifier, requested_at, delete_at, cause) values ($1, $2, $3, $4, 'inactivity')`,
)

/** Announces the deletion of a locked user who has none, with the event. */
export async function insertInactivityDeletion(
  trx: Knex.Transaction,
  { site, identifier }: UserKey,
  { time, delete_at }: { readonly time: Date; readonly delete_at: Date },
  event: EventToStore,
): Promise<void> {
  await insertNotice(trx, [site, identifier, time, delete_at, ...toEventParameters(event)])
}

const selectAnnounced = defineStatement<{ readonly identifier: string; readonly applies: boolean }>(
  // Each table names the site, by which Citus finds the shard.
  `select announced.identifier, coalesce(${ruleApplies}, false) as applies
   from (select identifier from user_deletions
         where site = $1 and identifier > $2 and cause = 'inactivity' order by identifier limit $3) as announced
   join users on users.site = $1 and users.identifier = announced.identifier
   left join inactivity_rules rule on rule.site = $1
   order by announced.identifier`,
)

/** Users of a site whose deletion is announced, after an identifier, and whether the rule still applies to each. */
export async function listAnnouncedUsers(
  executor: Executor,
  { site, identifier }: UserKey,
  limit: number,
): Promise<{ readonly identifier: string; readonly applies: boolean }[]> {
  return (await selectAnnounced(executor, [site, identifier, limit])).rows
}

const selectApplies = defineStatement<{ readonly applies: boolean }>(
  `select coalesce(${ruleApplies}, false) as applies from users left join inactivity_rules rule on rule.site = $1
   where users.site = $1 and identifier = $2`,
)

/** Whether the rule of the site applies to a user. */
export async function doesRuleApply(executor: Executor, { site, identifier }: UserKey): Promise<boolean> {
  return (await selectApplies(executor, [site, identifier])).rows[0]?.applies === true
}

const removeInactivityDeletion = defineStatement(
  `with active as (
     update users set deletion_noticed_at = null, kept_at = coalesce($3, kept_at) where site = $1 and identifier = $2
   )
   delete from user_deletions where site = $1 and identifier = $2 and cause = 'inactivity'`,
)

/**
 * Removes the announced deletion of a locked user.
 *
 * @param keptAt when the user or an administrator canceled it; null: the user logged in, or the rule ended
 */
export async function deleteInactivityDeletion(
  trx: Knex.Transaction,
  { site, identifier }: UserKey,
  keptAt: Date | null,
): Promise<void> {
  await removeInactivityDeletion(trx, [site, identifier, keptAt])
}

const defineCount = (kind: InactivityKind) =>
  defineStatement<{ readonly users: number; readonly scanned: number }>(
    `select count(*) filter (where ${isNotToBeDeleted} and ${ruleApplies})::integer as users,
       count(*)::integer as scanned
     from (${selectInOrder(kind, userColumns, '$6')}) as inactive
     cross join (select $7::integer as delete_after_days, $8::integer as notice_days, $9::boolean as include_mapped) as rule`,
  )
const counts = { last_logged_in_at: defineCount('last_logged_in_at'), created_at: defineCount('created_at') }

/** Counts the users of a kind that a rule is for among those who are inactive longest, at most `limit`. */
export async function countInactiveUsers(
  executor: Executor,
  site: number,
  rule: ActiveRule,
  { kind, limit }: { readonly kind: InactivityKind; readonly limit: number },
): Promise<{ users: number; scanned: number }> {
  const { at, registration, identifier } = beforeEveryInactive
  const days = rule.delete_after_days - rule.notice_days
  const values = [site, days, at, registration, identifier, limit, ...toRuleParameters(rule)]
  return (await counts[kind](executor, values)).rows[0] ?? { users: 0, scanned: 0 }
}
