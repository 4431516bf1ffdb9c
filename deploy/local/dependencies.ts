import { randomBytes } from 'node:crypto'
import { ensurePrograms, type RunningServer, requireProgram, startNats, startPostgres, startRedis } from '#local'
import { createAuthorization } from '../nats/authorization.ts'
import { busInterfaces as serviceInterfaces } from '../nats/bus-interfaces.ts'
import { createPasswords, urlWithUser } from '../nats/passwords.ts'
import { demoBusInterface } from './demo-bus.ts'
import { checkNats, checkPostgres, checkRedis } from './external-servers.ts'
import type { Paths } from './paths.ts'
import type { Step } from './progress.ts'
import type { Secrets } from './secrets.ts'
import type { LocalSettings } from './settings.ts'

export interface Dependencies {
  /** URL of a role that can create roles and databases. */
  readonly postgres_url: string
  /** Distinguishes our own PostgreSQL from an external one. */
  readonly postgresHome: string
  readonly redisUrl: string
  /** The URL for a service: with the user of its name on our own NATS, or the external server's URL. */
  readonly natsUrlOf: (service: string) => string
}

const busInterfaces = [...serviceInterfaces, demoBusInterface]

interface Deps {
  readonly paths: Paths
  readonly secrets: Secrets
  readonly step: Step
  /** Receives each started server. */
  readonly supervise: (title: string, server: RunningServer) => void
}

/** Starts PostgreSQL, Redis and NATS, except those that the environment names. */
export async function startDependencies(settings: LocalSettings, deps: Deps): Promise<Dependencies> {
  const { paths, secrets, step } = deps
  await checkExternal(settings, step)
  const missing = [
    ...(settings.DATABASE_URL ? [] : (['postgres'] as const)),
    ...(settings.REDIS_URL ? [] : (['redis'] as const)),
    ...(settings.NATS_URL ? [] : (['nats'] as const)),
  ]
  if (missing.length > 0) {
    await step('Programs', async (note) => {
      await ensurePrograms(missing, { note, log: paths.log('install') })
      const programs = await Promise.all(missing.map(requireProgram))
      note(missing.map((name, index) => `${name} ${programs[index]?.version}`).join(', '))
    })
  }
  const start = (title: string, begin: () => Promise<RunningServer>) =>
    step(title, async (note) => {
      const server = await begin()
      deps.supervise(title, server)
      note(`at ${new URL(server.url).host}`)
      return server.url
    })
  const own = createOwnServers(paths, secrets)
  const findNatsUrl = async () => {
    const named = settings.NATS_URL
    if (named) return () => named
    const url = await start('NATS', own.nats)
    return (service: string) => natsUrlOf(service, url, secrets)
  }
  return {
    postgres_url: settings.DATABASE_URL ?? (await start('PostgreSQL', own.postgres)),
    postgresHome: settings.DATABASE_URL ? new URL(settings.DATABASE_URL).host : 'our own PostgreSQL',
    redisUrl: settings.REDIS_URL ?? (await start('Redis', own.redis)),
    natsUrlOf: await findNatsUrl(),
  }
}

/** How our own servers start, with their data of the last time. Pass a port to start one again at its address. */
export function createOwnServers(paths: Paths, secrets: Secrets) {
  const configuration = createNatsConfiguration(secrets)
  return {
    postgres: (port?: number) =>
      startPostgres({ directory: paths.postgres, durable: true, log: paths.log('postgres'), ...at(port) }),
    redis: (port?: number) =>
      startRedis({ directory: paths.redis, durable: true, log: paths.log('redis'), ...at(port) }),
    nats: (port?: number) => startNats({ directory: paths.nats, log: paths.log('nats'), configuration, ...at(port) }),
  }
}

/** With a user for each service. */
export function createNatsConfiguration(secrets: Secrets) {
  return {
    text: createAuthorization(busInterfaces),
    environment: createPasswords(busInterfaces, (name) => natsPassword(name, secrets)),
  }
}

/** The URL of a NATS with this configuration for a service. */
export function natsUrlOf(service: string, url: string, secrets: Secrets): string {
  return urlWithUser(service, natsPassword(service, secrets), url)
}

const at = (port: number | undefined) => (port === undefined ? {} : { port })

function natsPassword(name: string, secrets: Secrets): string {
  return secrets.getOrCreate(`nats ${name}`, () => `p${randomBytes(16).toString('hex')}`)
}

async function checkExternal({ DATABASE_URL, REDIS_URL, NATS_URL }: LocalSettings, step: Step): Promise<void> {
  const checks = [
    ...(DATABASE_URL ? [{ name: 'postgres', check: () => checkPostgres(DATABASE_URL) }] : []),
    ...(REDIS_URL ? [{ name: 'redis', check: () => checkRedis(REDIS_URL) }] : []),
    ...(NATS_URL ? [{ name: 'nats', check: () => checkNats(NATS_URL) }] : []),
  ]
  if (checks.length === 0) return
  await step('External servers', async (note) => {
    note(checks.map(({ name }) => name).join(', '))
    const versions = await Promise.all(checks.map(({ check }) => check()))
    note(checks.map(({ name }, index) => `${name} ${versions[index]}`).join(', '))
  })
}
