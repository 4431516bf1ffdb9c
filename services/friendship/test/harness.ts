import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { inject } from 'vitest'
import { type Bus, type BusClient, connectBus, createClient, newCall } from '#bus'
import { friendshipContract as contract } from '#contracts'
import { createLogger, toTimestamp } from '#runtime'
import { cloneDatabase } from '../../../testing/databases.ts'
import { type Outage, startTestNats } from '../../../testing/outage.ts'
import { startForTest } from '../../../testing/start-for-test.ts'
import { readConfig } from '../config.ts'
import { service } from '../service.ts'

/** The service with its own NATS and database, as other services see it. */
export interface Harness extends AsyncDisposable {
  readonly friendship: BusClient<typeof contract>
  readonly bus: Bus
  readonly nats: Outage
}

export const logger = createLogger('test', 'silent')

export async function startFriendship(): Promise<Harness> {
  await using starting = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'social-login-friendship-'))
  starting.defer(() => rm(directory, { recursive: true, force: true }))
  const nats = starting.use(await startTestNats(directory))
  const databaseUrl = await cloneDatabase(inject('postgres_url'), 'friendship')
  const { stop } = await startForTest(
    'friendship',
    { readConfig, service },
    { DATABASE_URL: databaseUrl, NATS_URL: nats.url },
  )
  starting.defer(stop)
  const bus = starting.use(await connectBus(nats.url, { name: 'test', logger }))
  const stack = starting.move()
  return {
    friendship: createClient(bus, contract, new Registry()),
    bus,
    nats,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

export const newLinkId = () => randomUUID()

export const neverRecorded = { friendship_status: null, friendship_status_updated_at: null }
export const at = (seconds: number) => toTimestamp(Date.UTC(2030, 0, 1, 0, 0, seconds))

/** Shortcuts for the calls of other services. */
export function callsOf({ friendship }: Harness) {
  return {
    read: (linkId: string) => friendship.readStatus({ site: 1, link_id: linkId }, newCall()),
    record: (linkId: string, friendshipStatus: boolean, seconds: number) =>
      friendship.recordStatus(
        { site: 1, link_id: linkId, friendship_status: friendshipStatus, obtained_at: at(seconds) },
        newCall(),
      ),
    deleteLinks: (...linkIds: string[]) => friendship.deleteLinks({ site: 1, link_ids: linkIds }, newCall()),
  }
}
