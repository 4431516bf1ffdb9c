import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Knex } from 'knex'
import { Registry } from 'prom-client'
import { inject } from 'vitest'
import { type Call, connectBus, createClient, newCall } from '#bus'
import { profileContract } from '#contracts'
import { createLogger, newIdentifier, type RunningService } from '#runtime'
import {
  cloneDatabase,
  type Outage,
  openForTest,
  sharedStack,
  startForTest,
  startTestNats,
  type TestClient,
  withNewCommands,
} from '#testing'
import { readConfig } from '../config.ts'
import { service } from '../service.ts'

/** The service as other services see it, with separate users for each test. */
export interface SharedHarness extends AsyncDisposable {
  readonly profile: TestClient<typeof profileContract>
  readonly call: () => Call
  /** A connection to the service's database. */
  readonly knex: Knex
}

/** The service with its own NATS and database. */
export interface Harness extends SharedHarness {
  readonly nats: Outage
  readonly running: RunningService<void>
  readonly database_url: string
  /** Starts another replica, for example with another key ring. */
  readonly startReplica: (environment?: Readonly<Record<string, string>>) => Promise<RunningService<void>>
}

/** The service in the worker's shared stack, for tests that use only their own users. */
export async function openProfile(): Promise<SharedHarness> {
  const { profile, call, database_urls } = await sharedStack()
  return { profile, call, ...openForTest(database_urls.profile) }
}

export async function startProfile(settings: Readonly<Record<string, string>> = {}): Promise<Harness> {
  await using starting = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'social-login-profile-'))
  starting.defer(() => rm(directory, { recursive: true, force: true }))
  const nats = starting.use(await startTestNats(directory))
  const databaseUrl = await cloneDatabase(inject('postgres_url'), 'profile')
  const { knex } = starting.use(openForTest(databaseUrl))
  const bus = starting.use(await connectBus(nats.url, { name: 'test', logger: createLogger('test', 'silent') }))
  const stack = starting.use(new AsyncDisposableStack())
  const startReplica: Harness['startReplica'] = async (environment = {}) => {
    const usual = {
      DATABASE_URL: databaseUrl,
      NATS_URL: nats.url,
      ENCRYPTION_KEYS: inject('encryption_keys'),
      ...settings,
    }
    const replica = await startForTest('profile', { readConfig, service }, { ...usual, ...environment })
    stack.defer(replica.stop)
    return replica
  }
  const running = await startReplica()
  const all = starting.move()
  return {
    profile: withNewCommands(createClient(bus, profileContract, new Registry())),
    call: () => newCall(),
    nats,
    knex,
    running,
    database_url: databaseUrl,
    startReplica,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/** Above the numbers that identity assigns, so that no other test changes the site's excluded fields. */
export const site = 1_000_000_000
export const newUser = () => ({ site, identifier: newIdentifier() })
