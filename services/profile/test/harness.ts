import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Knex } from 'knex'
import { Registry } from 'prom-client'
import { inject } from 'vitest'
import { type Call, type Client, client, connectBus, newCall } from '#bus'
import { profile } from '#contracts'
import { createLogger, newIdentifier, type Running } from '#runtime'
import { cloneDatabase, openForTest } from '../../../testing/databases.ts'
import { type Outage, startTestNats } from '../../../testing/outage.ts'
import { startForTest } from '../../../testing/start-for-test.ts'
import { readConfig } from '../config.ts'
import { service } from '../service.ts'

/** The service as others see it, on a NATS and a database of its own. */
export interface Harness extends AsyncDisposable {
  readonly profile: Client<typeof profile>
  readonly call: () => Call
  readonly nats: Outage
  /** To look into the service's database from outside. */
  readonly knex: Knex
  readonly running: Running<void>
}

export async function startProfile(): Promise<Harness> {
  await using starting = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'social-login-profile-'))
  starting.defer(() => rm(directory, { recursive: true, force: true }))
  const nats = starting.use(await startTestNats(directory))
  const DATABASE_URL = await cloneDatabase(inject('postgres_url'), 'profile')
  const { knex } = starting.use(openForTest(DATABASE_URL))
  const bus = starting.use(await connectBus(nats.url, { name: 'test', logger: createLogger('test', 'silent') }))
  const running = await startForTest('profile', { readConfig, service }, { DATABASE_URL, NATS_URL: nats.url })
  starting.defer(running.stop)
  const stack = starting.move()
  return {
    profile: client(bus, profile, new Registry()),
    call: () => newCall(),
    nats,
    knex,
    running,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

export const newUser = () => ({ site: 1, identifier: newIdentifier() })
