import type { Knex } from 'knex'
import { defineBatchStatement, defineStatement, type Executor } from '#database'

/** The stream of a site. */
export interface Stream {
  readonly site: number
  readonly stream: string
  readonly last_sequence: number
  readonly deleted_up_to: number
}

// In a fixed order, to avoid deadlocks.
const selectForUpdate = defineStatement<Stream>(
  `select site, stream, last_sequence, deleted_up_to from sites where site = any($1) order by site for update`,
)
const insertEach = defineStatement(
  `insert into sites (site) select site from (select distinct unnest($1::integer[]) as site) as given order by site
   on conflict do nothing`,
)

/** Locks the streams of different sites until the transaction ends, creating missing ones. In a distributed database, of one site only. */
export async function lockStreams(trx: Knex.Transaction, sites: readonly number[]): Promise<Stream[]> {
  const { rows } = await selectForUpdate(trx, [sites])
  if (rows.length === sites.length) return rows
  await insertEach(trx, [sites])
  return (await selectForUpdate(trx, [sites])).rows
}

const shareOne = defineStatement('select from sites where site = $1 for share')

/** Until the transaction ends, no events are added to the stream of a site, and none is erased. */
export async function shareStream(trx: Knex.Transaction, site: number): Promise<void> {
  await shareOne(trx, [site])
}

const updateEach = defineBatchStatement(
  { last_sequence: 'bigint' },
  (given) => `update sites set last_sequence = given.last_sequence from ${given} where sites.site = given.site`,
)

/** Stores the last numbers of locked streams. */
export async function updateLastSequences(
  trx: Knex.Transaction,
  lastSequences: ReadonlyMap<number, number>,
): Promise<void> {
  await updateEach(
    trx,
    [...lastSequences].map(([site, lastSequence]) => ({ site, last_sequence: lastSequence })),
  )
}

const updateDeleted = defineStatement('update sites set deleted_up_to = $2 where site = $1')

/** Notes that the events of a locked stream up to this number are deleted. */
export async function updateDeletedUpTo(trx: Knex.Transaction, site: number, sequence: number): Promise<void> {
  await updateDeleted(trx, [site, sequence])
}

const selectOne = defineStatement<Stream>(
  'select site, stream, last_sequence, deleted_up_to from sites where site = $1',
)

/** The stream of a site; undefined if it has none yet. */
export async function findStream(executor: Executor, site: number): Promise<Stream | undefined> {
  return (await selectOne(executor, [site])).rows[0]
}

/** The stream of a site, created if it is missing. */
export async function readStream(executor: Executor, knex: Knex, site: number): Promise<Stream> {
  const stream = await findStream(executor, site)
  if (stream !== undefined) return stream
  await insertEach(knex, [[site]])
  const created = await findStream(knex, site)
  if (created === undefined) throw new Error('The stream is missing after the insert.')
  return created
}
