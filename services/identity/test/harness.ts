import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Knex } from 'knex'
import { Registry } from 'prom-client'
import { expect, inject } from 'vitest'
import { type Bus, type Call, connectBus, createClient, newCall } from '#bus'
import { type Fault, identityContract } from '#contracts'
import { createLogger, type RunningService } from '#runtime'
import {
  cloneDatabase,
  countLockWaits,
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

/** The service as other services see it, with separate sites for each test. */
export interface SharedHarness extends AsyncDisposable {
  readonly identity: TestClient<typeof identityContract>
  readonly call: () => Call
  /** A connection to the service's database. */
  readonly knex: Knex
  /** Starts one more replica, stopped at the end. */
  readonly startReplica: () => Promise<RunningService<void>>
  readonly newSite: () => Promise<number>
  /** Waits until the jobs of earlier tests are done, without their head starts. */
  readonly settle: () => Promise<void>
  /** Number of the service's statements that wait for a lock. */
  readonly waitingForLocks: () => Promise<number>
}

/** The service with its own NATS and database, without the services that receive its messages. */
export interface Harness extends SharedHarness {
  readonly bus: Bus
  readonly nats: Outage
  /** The first replica. */
  readonly replica: RunningService<void>
}

export const logger = createLogger('test', 'silent')

/** The service in the worker's shared stack, for tests that use only their own sites. */
export async function openIdentity(): Promise<SharedHarness> {
  const { identity, call, database_urls, nats } = await sharedStack()
  return harnessOf(identity, call, { database_url: database_urls.identity, nats_url: nats.url })
}

/** @param options.postgres_port where the service finds Postgres, if not at its own port */
export async function startIdentity(options: { postgres_port?: number } = {}): Promise<Harness> {
  await using starting = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'social-login-identity-'))
  starting.defer(() => rm(directory, { recursive: true, force: true }))
  const nats = starting.use(await startTestNats(directory))
  const databaseUrl = await cloneDatabase(inject('postgres_url'), 'identity')
  const bus = starting.use(await connectBus(nats.url, { name: 'test', logger }))
  const parts = { database_url: databaseUrl, nats_url: nats.url, ...options }
  const harness = starting.use(
    harnessOf(withNewCommands(createClient(bus, identityContract, new Registry())), newCall, parts),
  )
  const replica = await harness.startReplica()
  const stack = starting.move()
  return { ...harness, replica, bus, nats, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

function harnessOf(
  client: TestClient<typeof identityContract>,
  call: () => Call,
  parts: { readonly database_url: string; readonly nats_url: string; readonly postgres_port?: number },
): SharedHarness {
  const stack = new AsyncDisposableStack()
  const { knex } = stack.use(openForTest(parts.database_url))
  const way = new URL(parts.database_url)
  if (parts.postgres_port !== undefined) way.port = String(parts.postgres_port)
  return {
    identity: client,
    call,
    knex,
    startReplica: async () => {
      const environment = { DATABASE_URL: way.href, NATS_URL: parts.nats_url }
      const running = await startForTest('identity', { readConfig, service }, environment)
      stack.defer(running.stop)
      return running
    },
    newSite: async () => {
      const { site } = await client.registerSite({ account: 'test', site_id: newSlug(), name: 'Test' }, call())
      return site
    },
    settle: async () => {
      await knex('jobs').update({ run_at: knex.fn.now() })
      await expect.poll(() => knex('jobs').pluck('task')).toEqual([])
    },
    waitingForLocks: () => countLockWaits(knex),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** The readiness of a replica, from its operations port. */
export async function readiness({ operations_port }: RunningService<void>): Promise<string> {
  const response = await fetch(`http://localhost:${operations_port}/readyz`)
  return response.text()
}

export function newSlug(): string {
  return `s${randomBytes(6).toString('hex')}`
}

/** A login with a new account, by default at messaging. */
export function newLogin<P extends 'messaging' | 'search' = 'messaging'>(
  site: number,
  { provider, provider_user_id }: { provider?: P; provider_user_id?: string } = {},
) {
  return {
    site,
    login: randomUUID(),
    provider: provider ?? ('messaging' as const),
    provider_user_id: provider_user_id ?? randomUUID(),
  }
}

/** Options of `expect.poll`, long enough for a busy machine. */
/** Matches a rejection with this fault. */
export function faultMatching(fault: Fault['fault']) {
  return { name: 'Fault', fault }
}
