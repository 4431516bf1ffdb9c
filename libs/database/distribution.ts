import type { Knex } from 'knex'

/** How the tables of a service are distributed by site, with Citus. */
export interface Distribution {
  /** The name of the service's connections. */
  readonly service: string
  /**
   * Tables that are not distributed although they may have a column `site`, with the reason of each. Those that distributed tables
   * refer to are copied to every server (reference tables), unless they have triggers; the others stay on the coordinator.
   */
  readonly globalTables: Readonly<Record<string, string>>
  /** Prepares a database for its first distributed table, in the same transaction. */
  readonly prepare?: (trx: Knex.Transaction) => Promise<void>
}

/** A foreign key that does not hold between tables as they are now. */
export interface ForeignKey {
  readonly name: string
  readonly table: string
  readonly target: string
  /** As after `add constraint …`. */
  readonly definition: string
}

/** What is to do in a database. */
export interface DistributionPlan {
  /** Tables to distribute by site. */
  readonly distributed: readonly string[]
  /** Tables to copy to every server. */
  readonly reference: readonly string[]
  /** Tables that stay on the coordinator. */
  readonly local: readonly string[]
  /** Those of `local` that Citus must manage and does not yet (`managedTables`). */
  readonly unmanaged: readonly string[]
  /** Foreign keys to drop and to add again, because Citus distributes neither end alone. */
  readonly recreatedKeys: readonly ForeignKey[]
  /** Foreign keys to drop: a distributed table cannot refer to one of the coordinator. */
  readonly droppedKeys: readonly ForeignKey[]
  /** A table that is distributed already, whose shards new ones follow. */
  readonly follows: string | undefined
}

/** A table of the schema `public`. */
interface TableRow {
  readonly name: string
  readonly has_site: boolean
  readonly has_triggers: boolean
  /** A unique index without the column `site`. */
  readonly index_without_site: string | null
}

/**
 * Messages to other services are committed with the change of a site that causes them. Citus commits a transaction on a worker before
 * that on the coordinator, so that a coordinator that dies in between loses the message, unless it manages the table: then both are
 * committed in two phases.
 */
const managedTables = ['jobs']

/** Why a database cannot be distributed. */
export class DistributionError extends Error {
  override readonly name = 'DistributionError'
}

/**
 * Plans which tables become distributed, by their columns: every table with a column `site` that is not global. Tables that are
 * distributed already need nothing.
 *
 * @throws DistributionError if a unique index of such a table does not contain the site
 */
export async function planDistribution(knex: Knex, { globalTables }: Distribution): Promise<DistributionPlan> {
  const tables = await listTables(knex)
  const keys = await listForeignKeys(knex)
  const { distributed: done, managed } = await listCitusTables(knex)
  const isDistributed = ({ name, has_site }: TableRow) => has_site && globalTables[name] === undefined
  const all = tables.filter(isDistributed)
  for (const { name, index_without_site } of all)
    if (index_without_site !== null)
      throw new DistributionError(
        `The unique index ${index_without_site} of ${name} does not contain the site. Add the site to it, or list the table in globalTables.`,
      )
  const distributed = new Set(all.map(({ name }) => name))
  const withTriggers = new Set(tables.filter(({ has_triggers }) => has_triggers).map(({ name }) => name))
  const reference = new Set<string>()
  const addTargets = (table: string) => {
    for (const { target } of keys.filter((key) => key.table === table)) {
      if (distributed.has(target) || reference.has(target) || withTriggers.has(target)) continue
      reference.add(target)
      addTargets(target)
    }
  }
  for (const name of distributed) addTargets(name)
  const isNew = (name: string) => (distributed.has(name) || reference.has(name)) && !done.has(name)
  const isPossible = ({ table, target }: ForeignKey) =>
    reference.has(target) || (distributed.has(target) ? distributed.has(table) : !distributed.has(table))
  const affected = keys.filter(({ table, target }) => isNew(table) || isNew(target))
  const local = tables.map(({ name }) => name).filter((name) => !distributed.has(name) && !reference.has(name))
  return {
    distributed: [...distributed].filter(isNew),
    reference: [...reference].filter(isNew),
    local,
    unmanaged: local.filter((name) => managedTables.includes(name) && !managed.has(name)),
    recreatedKeys: affected.filter(isPossible),
    droppedKeys: affected.filter((key) => !isPossible(key)),
    follows: [...distributed].find((name) => done.has(name)),
  }
}

/** Whether the database has tables that are distributed by site. */
export async function hasDistributedTables(knex: Knex): Promise<boolean> {
  return (await listCitusTables(knex)).distributed.size > 0
}

/**
 * Whether the tables were distributed by site when the database was opened. For the few statements that need another form: a
 * distributed table cannot lock rows of several sites at once.
 */
export function isDistributed(knex: Knex): boolean {
  return knex.userParams.isDistributed === true
}

async function listTables(knex: Knex): Promise<TableRow[]> {
  const { rows } = await knex.raw<{ rows: TableRow[] }>(`
    select t.relname as name,
      exists (select from pg_attribute a where a.attrelid = t.oid and a.attname = 'site' and not attisdropped) as has_site,
      exists (select from pg_trigger g where g.tgrelid = t.oid and not g.tgisinternal) as has_triggers,
      (select min(i.indexrelid::regclass::text) from pg_index i
       where i.indrelid = t.oid and i.indisunique and not exists (
         select from pg_attribute a
         where a.attrelid = t.oid and a.attname = 'site' and a.attnum = any(i.indkey))) as index_without_site
    from pg_class t
    where t.relnamespace = 'public'::regnamespace and t.relkind = 'r'
    order by t.relname`)
  return rows
}

async function listForeignKeys(knex: Knex): Promise<ForeignKey[]> {
  const { rows } = await knex.raw<{ rows: ForeignKey[] }>(`
    select f.conname as name, t.relname as table, r.relname as target, pg_get_constraintdef(f.oid) as definition
    from pg_constraint f join pg_class t on t.oid = f.conrelid join pg_class r on r.oid = f.confrelid
    where f.contype = 'f' and t.relnamespace = 'public'::regnamespace
    order by t.relname, f.conname`)
  return rows
}

/** Tables of Citus. */
interface CitusTables {
  /** Those that it distributes or copies to every server. */
  readonly distributed: ReadonlySet<string>
  /** These, and those of the coordinator that it manages. */
  readonly managed: ReadonlySet<string>
}

/** Without the extension there are none. */
async function listCitusTables(knex: Knex): Promise<CitusTables> {
  const { rows } = await knex.raw<{ rows: { exists: boolean }[] }>(
    `select to_regclass('pg_catalog.pg_dist_partition') is not null as exists`,
  )
  if (!rows[0]?.exists) return { distributed: new Set(), managed: new Set() }
  // The method of tables that only the coordinator has is 'n' with the replication model 's'.
  const tables = await knex.raw<{ rows: { name: string; is_local: boolean }[] }>(`
    select t.relname as name, p.partmethod = 'n' and p.repmodel <> 't' as is_local
    from pg_dist_partition p join pg_class t on t.oid = p.logicalrelid
    where t.relnamespace = 'public'::regnamespace`)
  const namesOf = (of: readonly { readonly name: string }[]) => new Set(of.map(({ name }) => name))
  return { distributed: namesOf(tables.rows.filter(({ is_local }) => !is_local)), managed: namesOf(tables.rows) }
}
