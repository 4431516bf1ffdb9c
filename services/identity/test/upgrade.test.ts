import { expect, inject, test } from 'vitest'
import { migrate, provisionDatabase } from '#database'
import { openForTest } from '../../../libs/testing/databases.ts'
import { migrations } from '../migrations/index.ts'

test('sites of an earlier release have their accounts after the upgrade, and are as they were', async () => {
  const url = await provisionDatabase(inject('postgres_url'), { name: `upgrade_${process.pid}`, password: 'p' })
  await migrate(
    url,
    migrations.filter(({ name }) => name < '0006'),
  )
  await using database = openForTest(url)
  const { knex } = database
  const site = { requests_per_window: 5, allowed_addresses: ['192.0.2.7'] }
  const names = [
    { account: 'one', site_id: 'a', name: 'A' },
    { account: 'one', site_id: 'b', name: 'B' },
    { account: 'two', site_id: 'a', name: 'C' },
  ]
  await knex('sites').insert(names.map((name, n) => ({ ...name, ...site, revision: n + 1 })))
  await migrate(url, migrations)
  expect(await knex('accounts').orderBy('account').select('account', 'name', 'revision')).toEqual([
    { account: 'one', name: 'one', revision: 1 },
    { account: 'two', name: 'two', revision: 1 },
  ])
  expect(await knex('sites').orderBy('site')).toMatchObject(
    names.map((name) => ({ ...name, ...site, kind: 'production', profile_not_stored: {}, settings_revision: 1 })),
  )
})
