import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { defineStatement, type Migration, migrate, openDatabase, provisionDatabase, transaction } from '#database'
import { createLogger } from '#runtime'
import { type PostgresPair, startPostgresPair } from '#testing'

const logger = createLogger('test', 'silent')
const insertNote = defineStatement('insert into notes (note) values ($1)')
const selectNotes = defineStatement<{ note: string }>('select note from notes order by note')
const notesMigration: Migration = {
  name: '0001-notes',
  up: (knex) => knex.schema.createTable('notes', (table) => table.text('note')),
}

const stack = new AsyncDisposableStack()
let pair: PostgresPair
/** At the address that moves, and at both servers. */
let [url, urlOfBoth] = ['', '']

beforeAll(async () => {
  pair = stack.use(await startPostgresPair(await mkdtemp(join(inject('directory'), 'failover-'))))
  url = await provisionDatabase(pair.url, { name: 'notes', password: 'p' })
  urlOfBoth = `postgres://notes:p@${pair.hosts.join(',')}/notes?target_session_attrs=read-write`
})
afterAll(() => stack.disposeAsync())

test('migrations and statements reach the primary of several servers, and the standby after it became the primary', async () => {
  expect(await migrate(urlOfBoth, [notesMigration])).toEqual({ applied: ['0001-notes'] })
  await using atBoth = await openDatabase({ DATABASE_URL: urlOfBoth }, { name: 'test', logger })
  await using atService = await openDatabase({ DATABASE_URL: url }, { name: 'test', logger })
  const databases = [atBoth, atService]
  const write = (note: string) =>
    Promise.all(databases.map(({ knex }, index) => transaction(knex, (trx) => insertNote(trx, [`${note} ${index}`]))))
  const readAll = () =>
    Promise.all(databases.map(async ({ reader }) => (await selectNotes(reader, [])).rows.map(({ note }) => note)))
  await write('before')
  const before = ['before 0', 'before 1']
  expect(await readAll()).toEqual([before, before])

  const failed = pair.primary()
  await failed.kill()
  await expect.poll(() => databases.map(({ usable }) => usable())).toEqual([false, false])
  await pair.promote()
  await expect.poll(() => databases.map(({ usable }) => usable())).toEqual([true, true])
  await write('after')
  const after = ['after 0', 'after 1', ...before]
  expect(await readAll()).toEqual([after, after])

  await pair.rejoin()
  await write('later')
  expect((await readAll()).map((notes) => notes.length)).toEqual([6, 6])
})
