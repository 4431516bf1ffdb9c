import { setTimeout as delay } from 'node:timers/promises'
import type { Knex } from 'knex'
import { Fault } from '#contracts'
import { isDistributed } from './distribution.ts'
import type { SiteDataTable } from './site-tables.ts'
import { transaction } from './transaction.ts'

/** The SQLSTATE of a write to a frozen site, which `outages.ts` knows. */
const frozenSiteCode = 'SLFRZ'

/** How long one attempt waits for the writers of a table, and how many attempts one call makes. Other writers queue behind it. Our choice. */
const lockMs = 200
const attempts = 20
const pauseMs = 100

const lockNotAvailable = '55P03'

/** Creates the table of the sites whose data cannot be changed at the moment, and the functions of their triggers. */
export async function createFreezes(knex: Knex): Promise<void> {
  await knex.raw(`
        create table frozen_sites (
          site integer not null,
          -- Who froze it: a claim that has ended never freezes or thaws again, so that a late message has no effect.
          claim text collate "C" not null,
          state text not null constraint frozen_sites_state check (state in ('frozen', 'thawing', 'thawed')),
          constraint frozen_sites_pk primary key (site, claim)
        );
        -- Its arguments, of a deletion: when the row may be deleted all the same, and the column that says so.
        create function reject_frozen_site() returns trigger language plpgsql as $$
        begin
          -- The copy of the site writes (libs/database/site-freeze.ts).
          if current_setting('social_login.passes_freeze', true) = 'on' then
            return coalesce(new, old);
          end if;
          if tg_op = 'DELETE' and tg_nargs > 0 and (case tg_argv[0]
            when 'always' then true
            when 'past' then (to_jsonb(old) ->> tg_argv[1])::timestamptz <= now()
            when 'set' then to_jsonb(old) ->> tg_argv[1] is not null
            else false
          end) then
            return old;
          end if;
          raise exception 'The site is frozen, because it moves to another cell. Try again later.' using errcode = '${frozenSiteCode}';
        end $$;
        -- Its arguments are the table with the site, the column that both have, and the site.
        create function reject_row_of_frozen_site() returns trigger language plpgsql as $$
        declare
          is_frozen boolean;
        begin
          if current_setting('social_login.passes_freeze', true) = 'on' then
            return coalesce(new, old);
          end if;
          execute format('select exists (select from %I where %I::text = $1 and site = $2)', tg_argv[0], tg_argv[1])
            into is_frozen using to_jsonb(coalesce(new, old)) ->> tg_argv[1], tg_argv[2]::integer;
          if is_frozen then
            raise exception 'The site is frozen, because it moves to another cell. Try again later.' using errcode = '${frozenSiteCode}';
          end if;
          return coalesce(new, old);
        end $$;
        -- Only the owner of a table creates and drops its triggers, and the role of a service is not the owner
        -- (deploy/examples/postgres-databases.sql). No argument is SQL.
        create function freeze_rows(frozen integer, rows_of regclass, deletable text, deletable_column text) returns void
        language plpgsql security definer set search_path = public, pg_temp as $$
        begin
          execute format('create or replace trigger frozen_site_%s before insert or update on %s
            for each row when (new.site = %s) execute function reject_frozen_site()', frozen, rows_of, frozen);
          execute format('create or replace trigger frozen_site_%s_delete before delete on %s
            for each row when (old.site = %s) execute function reject_frozen_site(%L, %L)',
            frozen, rows_of, frozen, deletable, deletable_column);
        end $$;
        create function freeze_child_rows(frozen integer, rows_of regclass, parent text, parent_column text) returns void
        language plpgsql security definer set search_path = public, pg_temp as $$
        begin
          execute format('create or replace trigger frozen_site_%s before insert or update or delete on %s
            for each row execute function reject_row_of_frozen_site(%L, %L, %L)',
            frozen, rows_of, parent, parent_column, frozen);
        end $$;
        create function thaw_rows(thawed integer, rows_of regclass) returns void
        language plpgsql security definer set search_path = public, pg_temp as $$
        begin
          execute format('drop trigger if exists frozen_site_%s on %s', thawed, rows_of);
          execute format('drop trigger if exists frozen_site_%s_delete on %s', thawed, rows_of);
        end $$;`)
}

/** Lets a transaction change frozen sites. */
export async function passFreeze(trx: Knex.Transaction): Promise<void> {
  await trx.raw(`select set_config('social_login.passes_freeze', 'on', true)`)
}

/** Sites that background work omits, as a condition of their column. */
export function isNotFrozen(column: string): string {
  return `${column} not in (select f.site from frozen_sites f where f.state <> 'thawed')`
}

interface Freeze {
  readonly site: number
  /** Unique to this freeze. */
  readonly claim: string
}

/**
 * Freezes a site: after it, no change of the site is committed, also not by a process that stood still. Sites that are not frozen pay
 * nothing, because the triggers exist only while a site is. Idempotent.
 *
 * @throws Fault `changed_meanwhile` if the claim has ended
 * @throws the error of a lock that was not available; then call it again
 */
export async function freezeSite(knex: Knex, freeze: Freeze, tables: readonly SiteDataTable[]): Promise<void> {
  if (isDistributed(knex))
    throw new Error('The tables are distributed by Citus, which has no triggers: sites cannot be frozen.')
  // Background work omits the site from now on.
  await knex('frozen_sites')
    .insert({ ...freeze, state: 'frozen' })
    .onConflict(['site', 'claim'])
    .ignore()
  const frozen = await requireState(knex, freeze).then(() => listFrozenTables(knex, freeze.site))
  for (const table of tables)
    if (table.move !== undefined && !frozen.has(table.table))
      await withShortLocks(knex, async (trx) => {
        await requireState(trx, freeze)
        await createTriggers(trx, freeze.site, table)
      })
}

/** @throws Fault `changed_meanwhile` if the claim has ended */
async function requireState(knex: Knex, freeze: Freeze): Promise<void> {
  if ((await lockState(knex, freeze)) !== 'frozen') throw new Fault('changed_meanwhile')
}

async function listFrozenTables(knex: Knex, site: number): Promise<ReadonlySet<string>> {
  const { rows } = await knex.raw<{ rows: { name: string }[] }>(
    'select tgrelid::regclass::text as name from pg_trigger where tgname = ?',
    [`frozen_site_${site}`],
  )
  return new Set(rows.map(({ name }) => name))
}

/** The state of a claim, which does not change until the transaction ends. */
async function lockState(trx: Knex, { site, claim }: Freeze): Promise<string | undefined> {
  const row: { state: string } | undefined = await trx('frozen_sites').where({ site, claim }).forShare().first('state')
  return row?.state
}

async function createTriggers(
  trx: Knex.Transaction,
  site: number,
  { table, parent, move }: SiteDataTable,
): Promise<void> {
  if (parent !== undefined) {
    await trx.raw('select freeze_child_rows(?, ?, ?, ?)', [site, table, parent.table, parent.column])
    return
  }
  const { when = 'never', column = '' } = move?.expired ?? {}
  await trx.raw('select freeze_rows(?, ?, ?, ?)', [site, table, when, column])
}

/**
 * Ends the claims of a site and allows its changes again, unless this claim has ended before. Idempotent.
 *
 * @param before runs in the transaction that begins to thaw
 */
export async function thawSite(
  knex: Knex,
  freeze: Freeze,
  tables: readonly SiteDataTable[],
  before: (trx: Knex.Transaction) => Promise<void>,
): Promise<void> {
  const { site, claim } = freeze
  const isThawing = await transaction(knex, async (trx) => {
    const row = { site, claim, state: 'thawing' }
    await trx('frozen_sites').insert(row).onConflict(['site', 'claim']).ignore()
    const own: { state: string } | undefined = await trx('frozen_sites')
      .where({ site, claim })
      .forUpdate()
      .first('state')
    if (own?.state === 'thawed') return false
    await trx('frozen_sites').where({ site, state: 'frozen' }).update({ state: 'thawing' })
    await before(trx)
    return true
  })
  if (!isThawing) return
  for (const { table, move } of tables)
    if (move !== undefined)
      await withShortLocks(knex, async (trx) => {
        if ((await lockState(trx, freeze)) !== 'thawing') return
        await trx.raw('select thaw_rows(?, ?)', [site, table])
      })
  await knex('frozen_sites').where({ site, state: 'thawing' }).update({ state: 'thawed' })
}

/** Whether a claim freezes its site, which does not change until the transaction ends. */
export async function isFrozenBy(trx: Knex.Transaction, freeze: Freeze): Promise<boolean> {
  return (await lockState(trx, freeze)) === 'frozen'
}

/** Whether changes of a site are rejected. */
export async function isSiteFrozen(knex: Knex, site: number): Promise<boolean> {
  const row: unknown = await knex('frozen_sites').where({ site }).whereNot({ state: 'thawed' }).first('site')
  return row !== undefined
}

/** Creating a trigger waits for the writers of the table, and later writers wait for it: so it gives up soon, and tries again. */
async function withShortLocks(knex: Knex, work: (trx: Knex.Transaction) => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      await transaction(knex, async (trx) => {
        await trx.raw(`select set_config('lock_timeout', ?, true)`, [String(lockMs)])
        await work(trx)
      })
      return
    } catch (error) {
      if (attempt === attempts || !(error instanceof Error) || Reflect.get(error, 'code') !== lockNotAvailable)
        throw error
      await delay(pauseMs * Math.random())
    }
}
