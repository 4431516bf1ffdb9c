import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Knex } from 'knex'
import { Registry } from 'prom-client'
import { inject } from 'vitest'
import { type Bus, type Call, type Client, client, connectBus, newCall } from '#bus'
import { type Fault, identity } from '#contracts'
import { createLogger, type Running } from '#runtime'
import { cloneDatabase, openForTest } from '../../../testing/databases.ts'
import { type Outage, startTestNats } from '../../../testing/outage.ts'
import { startForTest } from '../../../testing/start-for-test.ts'
import { readConfig } from '../config.ts'
import { service } from '../service.ts'

/** The service as others see it, on a NATS and a database of its own. */
export interface Harness extends AsyncDisposable {
  readonly identity: Client<typeof identity>
  readonly call: () => Call
  readonly bus: Bus
  readonly nats: Outage
  /** To look into the service's database from outside. */
  readonly knex: Knex
  /** The first replica. */
  readonly replica: Running<void>
  /** Starts one more. */
  readonly startReplica: () => Promise<Running<void>>
  readonly newSite: () => Promise<number>
  /** How many of the service's statements wait for a lock. */
  readonly waitingForLocks: () => Promise<number>
}

export const logger = createLogger('test', 'silent')

/** @param options.postgres_port where the service finds Postgres, if not at its own port */
export async function startIdentity(options: { postgres_port?: number } = {}): Promise<Harness> {
  await using starting = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'social-login-identity-'))
  starting.defer(() => rm(directory, { recursive: true, force: true }))
  const nats = starting.use(await startTestNats(directory))
  const database_url = await cloneDatabase(inject('postgres_url'), 'identity')
  const { knex } = starting.use(openForTest(database_url))
  const bus = starting.use(await connectBus(nats.url, { name: 'test', logger }))
  const asked = client(bus, identity, new Registry())

  const way = new URL(database_url)
  if (options.postgres_port !== undefined) way.port = String(options.postgres_port)
  const environment = { DATABASE_URL: way.href, NATS_URL: nats.url }
  const replicas: Running<void>[] = []
  starting.defer(async () => void (await Promise.all(replicas.map(({ stop }) => stop()))))
  const startReplica = async () => {
    const running = await startForTest('identity', { readConfig, service }, environment)
    replicas.push(running)
    return running
  }
  const replica = await startReplica()
  const stack = starting.move()
  return {
    replica,
    identity: asked,
    call: () => newCall(),
    bus,
    nats,
    knex,
    startReplica,
    newSite: async () => {
      const { site } = await asked.registerSite({ account: 'test', site_id: newSlug(), name: 'Test' }, newCall())
      return site
    },
    waitingForLocks: async () => {
      const waiting = await knex('pg_stat_activity')
        .where({ wait_event_type: 'Lock' })
        .whereRaw('datname = current_database()')
      return waiting.length
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** What the operations port says of a replica. */
export async function readiness({ operations_port }: Running<void>): Promise<string> {
  const response = await fetch(`http://localhost:${operations_port}/readyz`)
  return response.text()
}

export function newSlug(): string {
  return `s${randomBytes(6).toString('hex')}`
}

/** A login of a person with a messaging account of their own, unless said otherwise. */
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

/** How long to look again for what must come about, on a busy machine too. */
export const patience = { timeout: 10_000 }

/** What a refused question rejects with. */
export function refusal(fault: Fault['fault']) {
  return { name: 'Fault', fault }
}
