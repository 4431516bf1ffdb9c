import { readFileSync } from 'node:fs'
import { expect, inject, test } from 'vitest'
import { type DataKind, type DataService, dataServices, otherData, userDataKinds } from '#contracts'
import { cloneDatabase, openForTest, table, withGenerated } from '#testing'

const page = 'docs/operate/data-retention.md'
const allKinds: readonly DataKind[] = [...Object.values(userDataKinds), ...otherData]

/** The tables of a service, as its migrations create them. */
async function listTables(service: DataService): Promise<string[]> {
  const { knex } = openForTest(await cloneDatabase(inject('postgres_url'), service))
  try {
    const tables = knex('information_schema.tables').where({ table_schema: 'public', table_type: 'BASE TABLE' })
    return await tables.orderBy('table_name').pluck('table_name')
  } finally {
    await knex.destroy()
  }
}

test.each(dataServices)('each table of %s is in the table of retention, and no other', async (service) => {
  const stores = allKinds.filter((kind) => kind.service === service).flatMap((kind) => kind.stores)
  const named = new Set(stores.filter((store) => store !== 'Redis'))
  expect([...named].toSorted()).toEqual((await listTables(service)).toSorted())
})

test('docs/operate/data-retention.md has the table', async () => {
  const toRow = ({ service, stores, holds, kept, setting = '–' }: DataKind) => [
    holds,
    service,
    stores.map((store) => (store === 'Redis' ? store : `\`${store}\``)).join(', '),
    kept,
    setting,
  ]
  const toTable = (kinds: readonly DataKind[]) =>
    table(['Data', 'Service', 'Table', 'Kept', 'Setting'], kinds.map(toRow))
  const parts = { user_data: toTable(Object.values(userDataKinds)), other_data: toTable(otherData) }
  await expect(withGenerated(readFileSync(page, 'utf8'), parts)).toMatchFileSnapshot(`../../${page}`)
})
