import type { Knex } from 'knex'
import type { InactivityRule } from '#contracts'
import { defineStatement, type Executor, isNotFrozen } from '#database'

const selectRule = defineStatement<InactivityRule>(
  'select delete_after_days, notice_days, include_mapped, revision from inactivity_rules where site = $1',
)

export async function findInactivityRule(executor: Executor, site: number): Promise<InactivityRule | undefined> {
  return (await selectRule(executor, [site])).rows[0]
}

const upsertRule = defineStatement(
  `insert into inactivity_rules (site, delete_after_days, notice_days, include_mapped, revision, next_look_at)
   values ($1, $2, $3, $4, $5, now())
   on conflict (site) do update
   set delete_after_days = excluded.delete_after_days, notice_days = excluded.notice_days,
     include_mapped = excluded.include_mapped, revision = excluded.revision, next_look_at = excluded.next_look_at`,
)

/** Stores the rule of a locked site, which is looked at next. */
export async function storeInactivityRule(
  trx: Knex.Transaction,
  site: number,
  { delete_after_days, notice_days, include_mapped, revision }: InactivityRule,
): Promise<void> {
  await upsertRule(trx, [site, delete_after_days, notice_days, include_mapped, revision])
}

/** A rule whose users are to be looked at. */
export interface DueRule extends InactivityRule {
  readonly site: number
}

const selectDue = defineStatement<DueRule>(
  `select site, delete_after_days, notice_days, include_mapped, revision from inactivity_rules
   where next_look_at <= now() and ${isNotFrozen('site')} order by next_look_at limit $1`,
)

/** The rules of all sites that are due, at most `limit`. */
export async function listDueRules(executor: Executor, limit: number): Promise<DueRule[]> {
  return (await selectDue(executor, [limit])).rows
}

const updateLook = defineStatement(
  `update inactivity_rules set next_look_at = clock.now + make_interval(secs => $3)
   from (select now()) as clock (now)
   where site = $1 and revision = $2`,
)

/** Sets when a rule is looked at next, in seconds from now; null: not again. Does nothing if the rule was changed since. */
export async function postponeLook(
  executor: Executor,
  { site, revision }: DueRule,
  seconds: number | null,
): Promise<void> {
  await updateLook(executor, [site, revision, seconds])
}

const takeRule = defineStatement(
  `update inactivity_rules set next_look_at = clock.now + make_interval(secs => $3)
   from (select now()) as clock (now)
   where site = $1 and revision = $2 and next_look_at <= clock.now`,
)

/** Takes a due rule for some seconds. @returns false if another replica has it, or the rule was changed */
export async function takeDueRule(executor: Executor, { site, revision }: DueRule, seconds: number): Promise<boolean> {
  return (await takeRule(executor, [site, revision, seconds])).rowCount === 1
}
