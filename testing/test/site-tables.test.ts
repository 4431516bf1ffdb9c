import type { Knex } from 'knex'
import { expect, inject, test } from 'vitest'
import { type DataService, dataServices } from '#contracts'
import type { SiteDataTable } from '#database'
import { cloneDatabase, openForTest } from '#testing'
import { consoleTables } from '../../services/console/site-tables.ts'
import { eventsTables } from '../../services/events/site-tables.ts'
import { friendshipTables } from '../../services/friendship/site-tables.ts'
import { identityTables } from '../../services/identity/site-tables.ts'
import { profileTables } from '../../services/profile/site-tables.ts'
import { providerAuthTables } from '../../services/provider-auth/site-tables.ts'

const tablesOf: Readonly<Record<DataService, readonly SiteDataTable[]>> = {
  identity: identityTables,
  profile: profileTables,
  'provider-auth': providerAuthTables,
  friendship: friendshipTables,
  events: eventsTables,
  console: consoleTables,
}

interface SchemaTable {
  readonly name: string
  readonly has_site: boolean
  /** The columns of each unique index that holds for all rows. */
  readonly unique: readonly string[][]
  readonly keys: readonly { readonly target: string; readonly cascades: boolean }[]
}

async function readSchema(knex: Knex): Promise<SchemaTable[]> {
  const { rows } = await knex.raw<{ rows: SchemaTable[] }>(`
    select t.relname as name,
      exists (select from pg_attribute a where a.attrelid = t.oid and attname = 'site' and not attisdropped) as has_site,
      coalesce((select json_agg(
         (select json_agg(attname) from pg_attribute a where a.attrelid = t.oid and attnum = any(i.indkey)))
       from pg_index i where i.indrelid = t.oid and i.indisunique and i.indpred is null), '[]') as unique,
      coalesce((select json_agg(json_build_object('target', confrelid::regclass::text, 'cascades', confdeltype = 'c'))
       from pg_constraint f where f.conrelid = t.oid and contype = 'f'), '[]') as keys
    from pg_class t where relnamespace = 'public'::regnamespace and relkind = 'r'`)
  return rows
}

test.each(dataServices)('the tables of sites of %s are described as its schema has them', async (service) => {
  const { knex } = openForTest(await cloneDatabase(inject('postgres_url'), service))
  const schema = await readSchema(knex).finally(() => knex.destroy())
  const described = tablesOf[service]
  const names = described.map(({ table }) => table)
  const hasSite = new Set(schema.flatMap(({ name, has_site }) => (has_site ? [name] : [])))
  const isOfSites = ({ name, keys }: SchemaTable) => hasSite.has(name) || keys.some(({ target }) => hasSite.has(target))
  const expected = schema.filter(isOfSites).map(({ name }) => name)
  // The console's table of networks has no foreign key to that of keys.
  const withoutKey = described.flatMap(({ table, parent }) => (parent && !expected.includes(table) ? [table] : []))
  expect(withoutKey).toEqual(service === 'console' ? ['key_networks'] : [])
  expect(names.toSorted()).toEqual([...expected, ...withoutKey].toSorted())

  for (const { table, key, parent, deletion } of described) {
    const found = schema.find(({ name }) => name === table)
    const targets = (found?.keys ?? []).filter(({ target }) => names.includes(target))
    for (const { target } of targets)
      expect(names.indexOf(target), `${table} after ${target}`).toBeLessThan(names.indexOf(table))
    if (deletion === 'cascades')
      expect(
        targets.some(({ cascades }) => cascades),
        `${table} cascades`,
      ).toBe(true)
    expect(found?.has_site, `${table} has a column site, or a parent`).toBe(parent === undefined)
    const columns = new Set([...(key ?? []), 'site'])
    const isUnique = (found?.unique ?? []).some((index) => index.every((column) => columns.has(column)))
    expect(isUnique, `the key of ${table} is unique`).toBe(key !== undefined)
  }
})
