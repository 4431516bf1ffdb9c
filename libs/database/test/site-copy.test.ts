import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import type { Knex } from 'knex'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import type { CopiedRange } from '#contracts'
import {
  createSiteCopyHandlers,
  type Migration,
  migrate,
  openDatabase,
  provisionDatabase,
  type SiteDataTable,
  siteFreezesMigration,
} from '#database'
import { createLogger } from '#runtime'
import { type PostgresPair, startPostgresPair } from '#testing'

const notes: SiteDataTable = { table: 'notes', key: ['note'], move: {} }
const notesMigration: Migration = {
  name: '0001-notes',
  async up(knex) {
    await knex.raw(
      `create table notes (site integer not null, note text collate "C" not null, text text not null, primary key (site, note))`,
    )
  },
}
const [site, otherSite] = [1, 2]
const handlers = createSiteCopyHandlers<{ readonly knex: Knex }>(({ knex }) => ({
  knex,
  service: 'test',
  tables: [notes],
  queues: [],
}))

const stack = new AsyncDisposableStack()
let pair: PostgresPair
let knex: Knex
let publicKey = ''

beforeAll(async () => {
  pair = stack.use(await startPostgresPair(await mkdtemp(join(inject('directory'), 'site-copy-'))))
  const url = await provisionDatabase(pair.url, { name: 'notes', password: 'p' })
  await migrate(url, [notesMigration, siteFreezesMigration('0002-site-freezes')])
  const database = await openDatabase({ DATABASE_URL: url }, { name: 'test', logger: createLogger('test', 'silent') })
  stack.use(database)
  knex = database.knex
  publicKey = (await handlers.beginSiteCopy({ site: otherSite, claim: 'copy' }, { knex })).public_key
})
afterAll(() => stack.disposeAsync())

beforeEach(async () => {
  await knex('notes').where({ site }).delete()
  await insert('a', 'b', 'c', 'd', 'e')
})

const insert = (...names: string[]) =>
  knex('notes').insert(names.map((note) => ({ site, note, text: `about ${note}` })))
const change = (note: string, text: string) => knex('notes').where({ site, note }).update({ text })

/** Two neighboring ranges, up to `c` and from there on, with the digest of each. */
async function readRanges(): Promise<CopiedRange[]> {
  const ranges = [
    { after: '', upto: '["c"]' },
    { after: '["c"]', upto: null },
  ]
  return Promise.all(
    ranges.map(async (range) => {
      const { part } = await read([{ ...range, digest: null }])
      return { ...range, digest: part?.digest ?? null }
    }),
  )
}

function read(ranges: CopiedRange[]) {
  return handlers.readSiteRows({ site, table: 'notes', ranges, public_key: publicKey }, { knex })
}

test('ranges without a change are equal', async () => {
  const ranges = await readRanges()
  expect(await read(ranges)).toEqual({ equal: 2, part: null })
})

test.each([
  { name: 'a value', place: 0, run: () => change('b', 'changed') },
  { name: 'the last row', place: 1, run: () => change('e', 'changed') },
  { name: 'a new row', place: 1, run: () => insert('d2') },
  { name: 'a deleted row', place: 0, run: () => knex('notes').where({ site, note: 'a' }).delete() },
  {
    name: 'a row in the place of another',
    place: 0,
    async run() {
      await knex('notes').where({ site, note: 'a' }).delete()
      await insert('a2')
    },
  },
])('$name is a change of its range', async ({ run, place }) => {
  const ranges = await readRanges()
  await run()
  const { equal, part } = await read(ranges)
  expect(equal).toBe(place)
  expect(part).toMatchObject({ after: ranges[place]?.after, upto: ranges[place]?.upto })
})

test('a row that has its old values again is equal', async () => {
  const ranges = await readRanges()
  await change('b', 'changed')
  await change('b', 'about b')
  expect(await read(ranges)).toEqual({ equal: 2, part: null })
})

test('a transaction that was open when rows were read is seen once it has ended', async () => {
  const trx = await knex.transaction()
  await trx('notes').where({ site, note: 'd' }).update({ text: 'changed' })
  // Later transactions have ended before it.
  await change('a', 'later')
  const ranges = await readRanges()
  expect(await read(ranges)).toEqual({ equal: 2, part: null })
  await trx.commit()
  expect(await read(ranges)).toMatchObject({ equal: 1, part: { rows: 2 } })
})

test('ranges can be compared when another server has become the primary', async () => {
  const ranges = await readRanges()
  await pair.primary().kill()
  await pair.promote()
  await expect.poll(() => read(ranges).catch(() => undefined)).toEqual({ equal: 2, part: null })
  await change('e', 'changed')
  expect(await read(ranges)).toMatchObject({ equal: 1, part: { rows: 2 } })
})
