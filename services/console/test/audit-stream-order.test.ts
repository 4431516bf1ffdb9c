import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { AuditRecord } from '#admin-api'
import { createEncryptor, createLogger, EncryptionKeys, keyRing } from '#runtime'
import { startReceiver } from '../../events/test/receiver.ts'
import { sendBatch } from '../audit-streams/send-batch.ts'
import { createRecordSender, type RecordSender } from '../audit-streams/send-records.ts'
import { startAuditStreams } from '../audit-streams/stream-worker.ts'
import { insertEntry, insertOutcome, insertPendingEntry, type NewEntry } from '../store/audit-trail.ts'
import { openStreams, readRecords } from './audit-stream-client.ts'
import { type Harness, startConsole } from './harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startConsole()
})
afterAll(() => harness[Symbol.asyncDispose]())

const toEntry = (account: string, name: string): NewEntry => ({
  at: new Date(),
  action: 'issueToken',
  account,
  site_id: null,
  actor: name,
  member_id: null,
  token_id: null,
  address: '127.0.0.1',
  request_id: randomUUID(),
  before: null,
  after: { name },
})

/** A stream of an account, and the names of the entries that its receiver got. */
async function openStream(account: string, input: object = {}) {
  await using stack = new AsyncDisposableStack()
  const receiver = stack.use(await startReceiver())
  const owner = await harness.createMemberClient({ roles: { [account]: 'owner' } })
  const streams = openStreams(owner, `/admin/v1/accounts/${account}/audit-streams`)
  const { stream } = await streams.create({ kind: 'webhook', url: receiver.url, ...input })
  const records = (): AuditRecord[] => readRecords(receiver.events()).filter(({ action }) => action === 'issueToken')
  const parts = stack.move()
  return {
    receiver,
    streams,
    stream_id: stream.stream_id,
    records,
    names: () => records().map(({ actor }) => actor),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

test('an entry that is committed after a later one is sent too', async () => {
  await using stream = await openStream('late')
  const slow = await harness.knex.transaction()
  await insertEntry(slow, toEntry('late', 'first'))
  await insertEntry(harness.knex, toEntry('late', 'second'))
  await expect.poll(stream.names).toEqual(['second'])
  await slow.commit()
  await expect.poll(stream.names).toEqual(['second', 'first'])
  expect(stream.records().map(({ sequence }) => sequence)).toEqual([2, 3])
})

test('nothing is lost or sent twice of many writers that commit in any order, and some of which roll back', async () => {
  await using stream = await openStream('busy')
  const committed: string[] = []
  const write = async (name: string) => {
    const trx = await harness.knex.transaction()
    await insertEntry(trx, toEntry('busy', name))
    await trx.raw('select pg_sleep(?)', [Math.random() * 0.3])
    if (Math.random() < 0.2) return trx.rollback()
    await trx.commit()
    committed.push(name)
  }
  for (let round = 0; round < 12; round++)
    await Promise.all(Array.from({ length: 4 }, (_, number) => write(`${round}-${number}`)))
  await insertEntry(harness.knex, toEntry('busy', 'last'))
  await expect.poll(() => stream.names().at(-1)).toBe('last')
  await stream.streams.whenSent(stream.stream_id)
  expect(stream.names().toSorted()).toEqual([...committed, 'last'].toSorted())
  expect(stream.records().map(({ sequence }) => sequence)).toEqual(stream.names().map((_, place) => place + 2))
})

test('a change whose outcome is late has two records: unknown after a minute, then the outcome', async () => {
  await using stream = await openStream('pending')
  const { knex } = harness
  const entry = await insertPendingEntry(knex, toEntry('pending', 'slow'))
  await insertEntry(knex, toEntry('pending', 'later'))
  await expect.poll(stream.names).toEqual(['later'])
  await knex('audit_records').where({ entry }).update({ due_at: knex.fn.now() })
  await expect.poll(stream.names).toEqual(['later', 'slow'])
  await insertOutcome(knex, entry, { at: new Date(), outcome: 'succeeded', before: null, after: { name: 'made' } })
  await expect.poll(stream.names).toEqual(['later', 'slow', 'slow'])
  expect(stream.records().slice(1)).toMatchObject([
    { part: 'entry', outcome: 'unknown', after: { name: 'slow' } },
    { part: 'outcome', outcome: 'succeeded', after: { name: 'made' } },
  ])
})

test('the order of records cannot be changed', async () => {
  const { knex } = harness
  await insertEntry(knex, toEntry('append-only', 'first'))
  await expect.poll(() => knex('audit_records').whereNotNull('position').first()).toBeDefined()
  for (const attempt of [
    () => knex('audit_records').whereNotNull('position').update({ position: 0 }),
    () => knex('audit_records').whereNotNull('position').delete(),
    () => knex('audit_records').truncate(),
  ])
    await expect(attempt()).rejects.toThrow(/append-only|permission denied/)
})

test('the streams of a replica that died continue elsewhere when its lease ends', async () => {
  await using stream = await openStream('orphaned', { enabled: false })
  const { knex } = harness
  await knex('audit_streams')
    .where({ stream_id: stream.stream_id })
    .update({ enabled: true, lease: randomUUID(), leased_until: knex.raw(`now() + interval '3 seconds'`) })
  await insertEntry(knex, toEntry('orphaned', 'waiting'))
  await expect.poll(stream.names).toEqual(['waiting'])
})

/** Everything of a replica that sends, to end it at any step. */
async function openReplica(streamId: string) {
  const { knex } = harness
  const lease = randomUUID()
  await knex('audit_streams')
    .where({ stream_id: streamId })
    .update({ enabled: true, lease, leased_until: knex.raw(`now() + interval '1 hour'`) })
  const encryptor = await createEncryptor(keyRing(EncryptionKeys.parse(inject('encryption_keys'))))
  return { lease, deps: { encryptor, recordResult: () => {} } }
}

test('a replica that ends at any step repeats at most the batch that was not stored', async () => {
  const { knex } = harness
  for (const step of ['before sending', 'within the batch', 'before storing'] as const) {
    await using stream = await openStream(`crash-${step.split(' ').join('-')}`, { enabled: false })
    const account = `crash-${step.split(' ').join('-')}`
    for (const name of ['a', 'b', 'c']) await insertEntry(knex, toEntry(account, name))
    const placed = () => knex('audit_records').where({ account }).whereNull('position')
    await expect.poll(placed).toEqual([])
    const { lease, deps } = await openReplica(stream.stream_id)
    await using sender = createRecordSender({ isPrivateAllowed: () => true, hostName: 'test' })
    const crash = new Error('The process has ended.')
    let requests = 0
    const crashing: RecordSender = {
      ...sender,
      async send(target, records, mayContinue) {
        if (step === 'before sending') throw crash
        const isBeforeSecond = () => step !== 'within the batch' || ++requests <= 2
        await sender.send(target, records, () => mayContinue() && isBeforeSecond())
        throw crash
      },
    }
    const attempt = sendBatch(stream.stream_id, { knex, ...deps, sender: crashing }, { lease, mayContinue: () => true })
    await expect(attempt).rejects.toBe(crash)
    const sentBefore = readRecords(stream.receiver.events())
    expect(sentBefore).toHaveLength({ 'before sending': 0, 'within the batch': 2, 'before storing': 4 }[step])
    await knex('audit_streams').where({ stream_id: stream.stream_id }).update({ leased_until: null })
    await stream.streams.whenSent(stream.stream_id)
    const sentAfter = readRecords(stream.receiver.events()).slice(sentBefore.length)
    expect(sentAfter.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4])
    // What is repeated is the same, byte by byte.
    expect(sentAfter.slice(0, sentBefore.length)).toEqual(sentBefore)
  }
})

test('a replica that lost its lease neither stores its progress nor continues', async () => {
  const { knex } = harness
  await using stream = await openStream('lost', { enabled: false })
  await insertEntry(knex, toEntry('lost', 'a'))
  await expect.poll(() => knex('audit_records').where({ account: 'lost' }).whereNull('position')).toEqual([])
  const { lease, deps } = await openReplica(stream.stream_id)
  await using sender = createRecordSender({ isPrivateAllowed: () => true, hostName: 'test' })
  const slow: RecordSender = {
    ...sender,
    async send(...given) {
      const result = await sender.send(...given)
      await knex('audit_streams').where({ stream_id: stream.stream_id }).update({ lease: randomUUID() })
      return result
    },
  }
  const attempt = sendBatch(stream.stream_id, { knex, ...deps, sender: slow }, { lease, mayContinue: () => true })
  expect(await attempt).toBe(false)
  expect(await stream.streams.read(stream.stream_id)).toMatchObject({ sent: 0 })
})

test('two replicas do not send a record twice, and one that stops ends its request', async () => {
  const { knex } = harness
  const { deps } = await openReplica(randomUUID())
  const logger = createLogger('test', 'silent')
  await using stream = await openStream('shared')
  {
    await using _ = startAuditStreams({
      knex,
      ...deps,
      sender: createRecordSender({ isPrivateAllowed: () => true, hostName: 'test' }),
      logger,
    })
    for (let number = 0; number < 30; number++) {
      await insertEntry(knex, toEntry('shared', String(number)))
      // Several looks of both replicas fall between the entries.
      await knex.raw('select pg_sleep(0.1)')
    }
    await expect.poll(() => stream.names().length).toBe(30)
  }
  expect(stream.names()).toEqual(Array.from({ length: 30 }, (_, number) => String(number)))
})
