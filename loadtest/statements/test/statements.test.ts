import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Knex } from 'knex'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseOwners } from '../../../deploy/local/database-owners.ts'
import type { Step } from '../../../deploy/local/progress.ts'
import { isCitus } from '../../../testing/citus.ts'
import { openFaultSite } from '../../faults/site.ts'
import { type FaultStack, startFaultStack } from '../../faults/stack.ts'
import { multiShardStatements, statementExceptions } from '../exceptions.ts'
import { findUnnamedTables } from '../find-unnamed-tables.ts'
import { runOperations } from '../run-operations.ts'

/** Tables with a few rows of each site. */
const tablesOfSettings = ['api_keys', 'clients', 'prepared_callback_rules', 'provider_settings', 'webhook_endpoints']

/** The record of applied migrations. */
const migrationTables = ['migrations', 'migrations_lock']

/** Includes the time of the operations on a busy machine. */
const timeoutMs = 300_000

/** By then, each service has deleted expired rows. */
const cleanupMs = 90_000

const server = isCitus ? 'citus' : 'postgres'

const citusSettings = {
  // The coordinator logs each statement that it plans for more than one shard.
  'citus.multi_task_query_log_level': 'log',
  // Otherwise Postgres plans a prepared statement once without its site, to compare the costs, and does not execute that plan.
  plan_cache_mode: 'force_custom_plan',
}

const cleanup = new AsyncDisposableStack()
afterAll(() => cleanup.disposeAsync())

const distributed = databaseOwners.filter(({ distribution }) => distribution !== undefined)
/** The tables that are not distributed by site, by service. */
const globalTables: Readonly<Record<string, Readonly<Record<string, string>>>> = Object.fromEntries(
  distributed.map(({ name, distribution }) => [name, distribution?.globalTables ?? {}]),
)
let databases: FaultStack['databases']
let postgres: FaultStack['postgres']
/** The statements that each service sent, by the service's name. */
const statements = new Map<string, Set<string>>()

beforeAll(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'social-login-statements-'))
  cleanup.defer(() => rm(directory, { recursive: true, force: true }))
  const step: Step = (_, work) => work(() => {})
  const interruption = new AbortController().signal
  const onStatement = (service: string, statement: string) => {
    statements.set(service, (statements.get(service) ?? new Set()).add(statement))
  }
  const stack = cleanup.use(await startFaultStack(directory, { step, interruption, onStatement, citusSettings }))
  databases = stack.databases
  postgres = stack.postgres
  await using site = await openFaultSite(stack)
  await runOperations(site)
}, timeoutMs)

test(
  'each statement of the operations names the site of its tables',
  async () => {
    const exceptions = statementExceptions
      .filter(({ on = server }) => on === server)
      .map(({ service, statement }) => `${service}: ${statement}`)
    let unnamed: string[] = []
    const listUnneededExceptions = async () => {
      unnamed = await listUnnamed()
      return exceptions.filter((exception) => !unnamed.some((line) => line.startsWith(exception)))
    }
    await expect.poll(listUnneededExceptions, { timeout: cleanupMs, interval: 1_000 }).toEqual([])
    expect(unnamed.filter((line) => !exceptions.some((exception) => line.startsWith(exception)))).toEqual([])
  },
  timeoutMs,
)

test.runIf(isCitus)(
  'Citus executes only exceptions on more than one shard',
  async () => {
    const needed = multiShardStatements.map(({ statement }) => simplify(statement))
    let executed: string[] = []
    const listUnneededExceptions = async () => {
      executed = await listMultiShardStatements()
      return needed.filter((exception) => !executed.some((statement) => statement.startsWith(exception)))
    }
    await expect.poll(listUnneededExceptions, { timeout: cleanupMs, interval: 1_000 }).toEqual([])
    const exceptions = [...needed, ...statementExceptions.map(({ statement }) => simplify(statement))]
    const unexpected = executed.filter((statement) => !exceptions.some((exception) => statement.startsWith(exception)))
    expect(unexpected).toEqual([])
  },
  timeoutMs,
)

/** Single spaces, and no numbers of parameters: the proxies and the log of Postgres show a statement differently. */
function simplify(statement: string): string {
  return statement.replaceAll(/\s+/g, ' ').replaceAll(/\$\d+/g, '$').trim().toLowerCase()
}

/**
 * The services' statements that Citus split, from the log of the coordinator: a message, a hint, and the statement with its further
 * lines. The test reads the databases as well.
 */
async function listMultiShardStatements(): Promise<string[]> {
  const ofServices = new Set([...statements.values()].flatMap((sent) => [...sent].map(simplify)))
  const [coordinator] = postgres.servers
  const log = await readFile(coordinator?.log ?? '', 'utf8')
  const entries = log.split(/^(?=\d{4}-\d\d-\d\d )/m)
  const split = entries.flatMap((entry, index) => {
    if (!entry.includes('multi-task query about to be executed')) return []
    const statement = entries.slice(index + 1, index + 3).find((next) => next.includes('STATEMENT:'))
    return statement === undefined
      ? []
      : [simplify(statement.slice(statement.indexOf('STATEMENT:') + 'STATEMENT:'.length))]
  })
  return [...new Set(split)].filter((statement) => ofServices.has(statement))
}

/** Whether a statement names a table of sites without its site. Each is parsed once, because the poll asks again. */
const isUnnamed = new Map<string, boolean>()

async function listUnnamed(): Promise<string[]> {
  const unnamed: string[] = []
  for (const { name, database } of distributed) {
    const tables = new Set(await listTablesOfSites(databaseOf(database), name))
    for (const statement of statements.get(name) ?? []) {
      const key = `${name}: ${statement}`
      if (!isUnnamed.has(key))
        isUnnamed.set(key, (await findUnnamedTables(statement, (table) => tables.has(table))).length > 0)
      if (isUnnamed.get(key)) unnamed.push(key)
    }
  }
  return unnamed
}

test('each table has a site or is global, and each key and reference of a table of sites is inside a site', async () => {
  const violations: string[] = []
  for (const { name, database } of distributed) {
    const knex = databaseOf(database)
    const tables = new Set(await listTablesOfSites(knex, name))
    const globals = Object.keys(globalTables[name] ?? {})
    const all: string[] = await knex('pg_tables').where({ schemaname: 'public' }).pluck('tablename')
    for (const table of [...all.filter((one) => !tables.has(one) && !migrationTables.includes(one)), ...globals].sort())
      if (globals.includes(table) !== all.includes(table)) violations.push(`${name}: table ${table}`)
    for (const { table, constraint } of await listKeysWithoutSite(knex))
      if (tables.has(table)) violations.push(`${name}: ${constraint}`)
  }
  expect(violations).toEqual([])
})

test('tables with several indexes that begin with the site are analyzed often', async () => {
  const violations: string[] = []
  for (const { name, database } of distributed) {
    const { rows } = await databaseOf(database).raw<{ rows: { table: string }[] }>(
      `
      select relname as table from pg_class t
      join pg_attribute a on a.attrelid = t.oid and a.attname = 'site'
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> all(:small)
        and (select count(*) from pg_index i where i.indrelid = t.oid and i.indkey[0] = a.attnum) > 1
        and not coalesce(reloptions @> '{autovacuum_analyze_scale_factor=0}', false)`,
      {
        small: tablesOfSettings,
      },
    )
    violations.push(...rows.map(({ table }) => `${name}: ${table}`))
  }
  expect(violations).toEqual([])
})

function databaseOf(database: string): Knex {
  const found = Object.entries(databases).find(([name]) => name === database)
  if (found === undefined) throw new Error(`There is no database ${database}.`)
  return found[1]
}

/** The tables and views with the column `site`, without global ones. */
async function listTablesOfSites(knex: Knex, service: string): Promise<string[]> {
  const names: string[] = await knex('information_schema.columns')
    .where({ table_schema: 'public', column_name: 'site' })
    .pluck('table_name')
  return names.filter((name) => globalTables[service]?.[name] === undefined)
}

/**
 * Unique indexes without the column `site`, and foreign keys without it. A reference of `site` alone to the global table `sites`
 * contains it.
 */
async function listKeysWithoutSite(knex: Knex): Promise<{ table: string; constraint: string }[]> {
  const { rows } = await knex.raw(`
    select i.indrelid::regclass::text as table, i.indexrelid::regclass::text as constraint
    from pg_index i join pg_class c on c.oid = i.indrelid
    where i.indisunique and c.relnamespace = 'public'::regnamespace and not exists (
      select from pg_attribute a where a.attrelid = i.indrelid and a.attname = 'site' and a.attnum = any(i.indkey)
    )
    union
    select f.conrelid::regclass::text, f.conname
    from pg_constraint f
    where f.contype = 'f' and not exists (
      select from pg_attribute a where a.attrelid = f.conrelid and a.attname = 'site' and a.attnum = any(f.conkey)
    )
    order by 2`)
  return rows
}
