import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import knex, { type Knex } from 'knex'
import { convertPersonalData } from '#database'
import { startRedis } from '#local'
import { createEncryptor, EncryptionKeys, keyRing } from '#runtime'
import { toBuilt } from '../../deploy/build/to-built.ts'
import { databaseOwners } from '../../deploy/local/database-owners.ts'
import { findPublicPorts } from '../../deploy/local/find-public-ports.ts'
import { createPaths } from '../../deploy/local/paths.ts'
import type { Step } from '../../deploy/local/progress.ts'
import { startService } from '../../deploy/local/run-service.ts'
import type { Secrets } from '../../deploy/local/secrets.ts'
import { type ServiceDescription, services } from '../../deploy/local/services.ts'
import { readSettings } from '../../deploy/local/settings.ts'
import { supervise } from '../../deploy/local/supervise.ts'
import type { Wiring } from '../../deploy/local/wiring.ts'
import { encryptedEvents } from '../../services/events/encrypted-values.ts'
import { buildServices } from '../toolkit/stack/build-services.ts'
import { type StackPostgres, startInfrastructureOn, startStackPostgres } from '../toolkit/stack/stack-postgres.ts'
import { type CountingProxy, startCountingProxy } from './proxy/counting-proxy.ts'
import { natsProtocol } from './proxy/nats-protocol.ts'
import { postgresProtocol } from './proxy/postgres-protocol.ts'
import type { Unit } from './proxy/wire-protocol.ts'
import { type SupervisedService, startSupervised } from './supervised-service.ts'

/** A process and the proxies through which it reaches its servers. */
export interface Member extends SupervisedService {
  /** Undefined for services without a database. */
  readonly database: CountingProxy | undefined
  /** Undefined for services that are not on the bus. */
  readonly bus: CountingProxy | undefined
}

export type DatabaseName = 'identity' | 'profile' | 'provider_auth' | 'friendship' | 'events' | 'console'

export interface Databases extends Readonly<Record<DatabaseName, Knex>> {
  /** Decrypts the stored data of events, as the operators' command does, so that invariants can compare it. */
  readonly decryptEvents: () => Promise<void>
}

/** The product, each service in its own process behind proxies. */
export interface FaultStack extends AsyncDisposable {
  readonly wiring: Wiring
  readonly secrets: Secrets
  readonly members: ReadonlyMap<string, Member>
  readonly databases: Databases
  readonly postgres: StackPostgres
  readonly interruption: AbortSignal
}

/** In which an idle process repeats all its periodic statements and messages. */
const idleMs = 6_000

/** Statements that requests also use, so that they are counted although an idle process uses them too. */
const shared = /^(begin|commit|rollback)\b/i

interface FaultStackOptions {
  readonly step: Step
  readonly interruption: AbortSignal
  /** Called with each statement of a service, from its start on. */
  readonly onStatement?: (service: string, statement: string) => void
  /** Of the servers of Citus, if the stack uses it. */
  readonly citusSettings?: Readonly<Record<string, string>>
}

export async function startFaultStack(
  directory: string,
  { step, interruption, onStatement, citusSettings = {} }: FaultStackOptions,
): Promise<FaultStack> {
  await using starting = new AsyncDisposableStack()
  const built = await buildServices(directory, step)
  const postgres = starting.use(await startStackPostgres(directory, { citusSettings }))
  const redis = starting.use(await startRedis({ directory: join(directory, 'redis'), durable: false }))
  const settings = readSettings({
    ...(await findPublicPorts()),
    LOCAL_DIRECTORY: directory,
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
  })
  const paths = createPaths(directory)
  const supervision = supervise(starting)
  const options = { supervision, step, interruption }
  const { wiring, secrets } = await startInfrastructureOn(postgres, [settings, paths, options])

  const members = new Map<string, Member>()
  await step('Services', async (note) => {
    for (const group of services) {
      note(group.map(({ name }) => name).join(', '))
      await Promise.all(
        group.map(async (service) => {
          const member = starting.use(
            await startMember(toBuilt(service, built), { wiring, paths, interruption, onStatement }),
          )
          members.set(service.name, member)
          await member.ready()
        }),
      )
    }
    note(`${members.size} processes`)
  })
  const databases = starting.use(openDatabases(wiring))
  const stack = starting.move()
  return {
    wiring,
    secrets,
    members,
    databases,
    postgres,
    interruption,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

async function startMember(
  service: ServiceDescription,
  {
    wiring,
    paths,
    interruption,
    onStatement,
  }: Pick<FaultStackOptions, 'interruption'> & {
    wiring: Wiring
    paths: ReturnType<typeof createPaths>
    onStatement: FaultStackOptions['onStatement']
  },
): Promise<Member> {
  await using starting = new AsyncDisposableStack()
  const { DATABASE_URL, NATS_URL } = service.environment(wiring)
  const background = new Set<string>()
  const isBackground = ({ label }: Unit) => background.has(label)
  const database =
    DATABASE_URL === undefined
      ? undefined
      : starting.use(await startCountingProxy(DATABASE_URL, postgresProtocol, isBackground))
  if (onStatement !== undefined) database?.observe(({ label }) => onStatement(service.name, label))
  const bus =
    NATS_URL === undefined ? undefined : starting.use(await startCountingProxy(NATS_URL, natsProtocol, isBackground))
  const proxied: ServiceDescription = {
    ...service,
    environment: (own) => ({
      ...service.environment(own),
      ...(database && { DATABASE_URL: database.url }),
      ...(bus && { NATS_URL: bus.url }),
      // All logins have the same source address.
      LOGINS_PER_ADDRESS: '0',
      MAX_CONNECTIONS_PER_ADDRESS: '0',
    }),
  }
  const supervised = starting.use(await startSupervised(() => startService(proxied, { wiring, paths }), interruption))
  await supervised.ready()
  const observing = [database, bus].map((proxy) =>
    proxy?.observe(({ label }) => {
      if (!shared.test(label)) background.add(label)
    }),
  )
  await sleep(idleMs, undefined, { signal: interruption })
  for (const observed of observing) observed?.[Symbol.dispose]()
  const stack = starting.move()
  return { ...supervised, database, bus, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

export function openDatabases({ database_urls, encryption_keys }: Wiring): Databases & AsyncDisposable {
  const opened = databaseOwners.map(
    ({ database }) =>
      [
        database,
        knex({ client: 'pg', connection: database_urls.get(database) ?? '', pool: { min: 0, max: 2 } }),
      ] as const,
  )
  // One entry for each database.
  const databases = Object.fromEntries(opened) as Record<DatabaseName, Knex>
  const encryptorOpening = createEncryptor(keyRing(EncryptionKeys.parse(encryption_keys)))
  return {
    ...databases,
    async decryptEvents() {
      const base = { knex: databases.events, encryptor: await encryptorOpening, encrypts: false }
      for (const table of encryptedEvents.personalTables ?? []) await convertPersonalData(base, table, () => {})
    },
    async [Symbol.asyncDispose]() {
      ;(await encryptorOpening)[Symbol.dispose]()
      await Promise.all(opened.map(([, database]) => database.destroy()))
    },
  }
}
