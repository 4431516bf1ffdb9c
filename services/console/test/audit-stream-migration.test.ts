import { randomUUID } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import { migrate, provisionDatabase } from '#database'
import { openForTest } from '#testing'
import { migrations } from '../migrations/index.ts'
import { placeAuditRecords } from '../store/audit-records.ts'
import { insertEntry, insertOutcome, insertPendingEntry, type NewEntry } from '../store/audit-trail.ts'

const toEntry = (action: string, seconds: number): NewEntry => ({
  at: new Date(Date.UTC(2030, 0, 1, 0, 0, seconds)),
  action,
  account: 'migrated',
  site_id: null,
  actor: 'Ada',
  member_id: null,
  token_id: null,
  address: '127.0.0.1',
  request_id: randomUUID(),
  before: null,
  after: null,
})

test('the entries of an existing audit trail have one record each, in the order of their times', async () => {
  const name = `audit_${randomUUID().slice(0, 8)}`
  const url = await provisionDatabase(inject('postgres_url'), { name, password: 'test' })
  await migrate(
    url,
    migrations.filter((migration) => migration.name < '0006'),
  )
  await using database = openForTest(url)
  const { knex } = database
  const pending = await insertPendingEntry(knex, toEntry('pending', 1))
  await insertEntry(knex, toEntry('complete', 2))
  await insertPendingEntry(knex, toEntry('unknown', 3))
  await insertOutcome(knex, pending, { at: toEntry('', 4).at, outcome: 'rejected', fault: 'conflict' })
  await migrate(url, migrations)
  await insertEntry(knex, toEntry('later', 0))
  await placeAuditRecords(knex)
  const records = await knex('audit_records as r')
    .join('audit_entries as e', 'e.entry', 'r.entry')
    .orderBy('position')
    .select('position', 'part', 'action')
  expect(records).toEqual([
    { position: 1, part: 'entry', action: 'complete' },
    { position: 2, part: 'entry', action: 'unknown' },
    { position: 3, part: 'outcome', action: 'pending' },
    { position: 4, part: 'entry', action: 'later' },
  ])
})
