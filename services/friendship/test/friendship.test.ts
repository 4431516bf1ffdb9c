import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Client, client, connectBus, newCall } from '#bus'
import { friendship as contract } from '#contracts'
import { createLogger, newIdentifier, start, toTimestamp } from '#runtime'
import { cloneDatabase } from '../../../libs/testing/databases.ts'
import { type Outage, startTestNats } from '../../../libs/testing/outage.ts'
import { readConfig } from '../config.ts'
import { service } from '../service.ts'

const stack = new AsyncDisposableStack()
let friendship: Client<typeof contract>
let nats: Outage
beforeAll(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'social-login-friendship-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  nats = stack.use(await startTestNats(directory))
  const DATABASE_URL = await cloneDatabase(inject('postgres_url'), 'friendship')
  const config = readConfig({
    DATABASE_URL,
    NATS_URL: nats.url,
    OPS_PORT: '0',
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
  })
  const { stop } = await start('friendship', config, service)
  stack.defer(stop)
  const bus = stack.use(await connectBus(nats.url, { name: 'test', logger: createLogger('test', 'silent') }))
  friendship = client(bus, contract, new Registry())
})
afterAll(() => stack.disposeAsync())

const newUser = () => ({ site: 1, identifier: newIdentifier() })
type User = ReturnType<typeof newUser>

const never_told = { friendship_status: null, friendship_status_updated_at: null }
const read = (user: User) => friendship.readStatus(user, newCall())
const at = (seconds: number) => toTimestamp(Date.UTC(2030, 0, 1, 0, 0, seconds))
const record = (user: User, friendship_status: boolean, seconds: number) =>
  friendship.recordStatus({ ...user, friendship_status, obtained_at: at(seconds) }, newCall())

test('a status never told is null', async () => {
  expect(await read(newUser())).toEqual(never_told)
})

test('the latest status is kept, one that is older is ignored', async () => {
  const user = newUser()
  await record(user, true, 10)
  expect(await read(user)).toEqual({ friendship_status: true, friendship_status_updated_at: at(10) })
  await record(user, false, 20)
  await record(user, true, 15)
  expect(await read(user)).toEqual({ friendship_status: false, friendship_status_updated_at: at(20) })
  expect(await read({ ...user, site: 2 })).toEqual(never_told)
})

test('of many statuses at once the latest stays, in whatever order they arrive', async () => {
  const user = newUser()
  const times = [3, 19, 7, 1, 12, 18, 5, 16]
  await Promise.all(times.map((seconds) => record(user, seconds === 19, seconds)))
  expect(await read(user)).toEqual({ friendship_status: true, friendship_status_updated_at: at(19) })
})

test('of a forgotten user nothing is left and nothing is kept any more, known or not', async () => {
  const [known, unknown] = [newUser(), newUser()]
  await record(known, true, 10)
  for (const user of [known, unknown]) {
    await friendship.forgetUser(user, newCall())
    await friendship.forgetUser(user, newCall())
    await record(user, true, 30)
    expect(await read(user)).toEqual(never_told)
  }
})

test('when NATS went away and came back the service answers again, and nothing that was stored is lost', async () => {
  const user = newUser()
  await record(user, true, 10)
  await nats.stop()
  await nats.start()
  const ask = () => read(user).catch((error: unknown) => error)
  await expect.poll(ask, { timeout: 10_000 }).toMatchObject({ friendship_status: true })
})
