import { randomBytes } from 'node:crypto'
import { ensurePrograms, type Part, requireProgram, startNats, startPostgres, startRedis } from '#local'
import { authorization } from '../nats/authorization.ts'
import { busInterfaces as of_services } from '../nats/bus-interfaces.ts'
import { passwordsFor, urlAs } from '../nats/passwords.ts'
import { demoStation } from './demo-station.ts'
import { checkNats, checkPostgres, checkRedis } from './named-servers.ts'
import type { Places } from './places.ts'
import type { Step } from './progress.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'

export interface Dependencies {
  /** Of a role that may create roles and databases. */
  readonly postgres_url: string
  /** Tells one PostgreSQL from another: our own, or that of an address. */
  readonly postgresHome: string
  readonly redisUrl: string
  /** As what a service connects: the user of its name at our own NATS, or what the named server's address says. */
  readonly natsUrlOf: (station: string) => string
}

const stations = [...of_services, demoStation]

interface Deps {
  readonly places: Places
  readonly secrets: Secrets
  readonly step: Step
  /** Told of each part that was started. */
  readonly own: (title: string, part: Part) => void
}

/** PostgreSQL, Redis and NATS: those that the environment names, and our own for the others. */
export async function openDependencies(settings: Settings, deps: Deps): Promise<Dependencies> {
  const { places, secrets, step } = deps
  await checkNamed(settings, step)
  const missing = [
    ...(settings.DATABASE_URL ? [] : (['postgres'] as const)),
    ...(settings.REDIS_URL ? [] : (['redis'] as const)),
    ...(settings.NATS_URL ? [] : (['nats'] as const)),
  ]
  if (missing.length > 0) {
    await step('Programs', async (note) => {
      await ensurePrograms(missing, { note, log: places.log('install') })
      const programs = await Promise.all(missing.map(requireProgram))
      note(missing.map((name, index) => `${name} ${programs[index]?.version}`).join(', '))
    })
  }
  const start = (title: string, begin: () => Promise<Part>) =>
    step(title, async (note) => {
      const part = await begin()
      deps.own(title, part)
      note(`at ${new URL(part.url).host}`)
      return part.url
    })
  const postgres = { directory: places.postgres, durable: true, log: places.log('postgres') }
  const redis = { directory: places.redis, durable: true, log: places.log('redis') }
  const natsPassword = (name: string) => secrets.keep(`nats ${name}`, () => `p${randomBytes(16).toString('hex')}`)
  const configuration = { text: authorization(stations), environment: passwordsFor(stations, natsPassword) }
  const nats = { directory: places.nats, log: places.log('nats'), configuration }
  const natsUrlOf = async () => {
    const named = settings.NATS_URL
    if (named) return () => named
    const own = await start('NATS', () => startNats(nats))
    return (station: string) => urlAs(station, natsPassword(station), own)
  }
  return {
    postgres_url: settings.DATABASE_URL ?? (await start('PostgreSQL', () => startPostgres(postgres))),
    postgresHome: settings.DATABASE_URL ? new URL(settings.DATABASE_URL).host : 'our own PostgreSQL',
    redisUrl: settings.REDIS_URL ?? (await start('Redis', () => startRedis(redis))),
    natsUrlOf: await natsUrlOf(),
  }
}

async function checkNamed({ DATABASE_URL, REDIS_URL, NATS_URL }: Settings, step: Step): Promise<void> {
  const checks = [
    ...(DATABASE_URL ? [{ name: 'postgres', check: () => checkPostgres(DATABASE_URL) }] : []),
    ...(REDIS_URL ? [{ name: 'redis', check: () => checkRedis(REDIS_URL) }] : []),
    ...(NATS_URL ? [{ name: 'nats', check: () => checkNats(NATS_URL) }] : []),
  ]
  if (checks.length === 0) return
  await step('Named servers', async (note) => {
    note(checks.map(({ name }) => name).join(', '))
    const versions = await Promise.all(checks.map(({ check }) => check()))
    note(checks.map(({ name }, index) => `${name} ${versions[index]}`).join(', '))
  })
}
