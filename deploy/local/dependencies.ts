import { ensurePrograms, type Part, requireProgram, startNats, startPostgres, startRedis } from '#local'
import { checkNats, checkPostgres, checkRedis } from './named-servers.ts'
import type { Places } from './places.ts'
import type { Step } from './progress.ts'
import type { Settings } from './settings.ts'

export interface Dependencies {
  /** Of a role that may create roles and databases. */
  readonly postgres_url: string
  /** Tells one PostgreSQL from another: our own, or that of an address. */
  readonly postgres_home: string
  readonly redis_url: string
  readonly nats_url: string
}

/** PostgreSQL, Redis and NATS: those that the environment names, and our own for the others. `own` is told of each that was started. */
export async function openDependencies(
  settings: Settings,
  { places, step, own }: { places: Places; step: Step; own: (title: string, part: Part) => void },
): Promise<Dependencies> {
  const missing = [
    ...(settings.DATABASE_URL ? [] : (['postgres'] as const)),
    ...(settings.REDIS_URL ? [] : (['redis'] as const)),
    ...(settings.NATS_URL ? [] : (['nats'] as const)),
  ]
  await step('Programs', async (note) => {
    await ensurePrograms(missing, { note, log: places.log('install') })
    const programs = await Promise.all(missing.map(requireProgram))
    note(missing.map((name, index) => `${name} ${programs[index]?.version}`).join(', ') || 'none needed')
  })

  const open = (
    title: string,
    {
      named,
      check,
      start,
    }: { named: string | undefined; check: (url: string) => Promise<string>; start: () => Promise<Part> },
  ) =>
    step(title, async (note) => {
      if (named !== undefined) {
        note(`version ${await check(named)}, as the environment says`)
        return named
      }
      const part = await start()
      own(title, part)
      note(`at ${new URL(part.url).host}`)
      return part.url
    })

  const postgres_url = await open('PostgreSQL', {
    named: settings.DATABASE_URL,
    check: checkPostgres,
    start: () => startPostgres({ directory: places.postgres, durable: true, log: places.log('postgres') }),
  })
  const redis_url = await open('Redis', {
    named: settings.REDIS_URL,
    check: checkRedis,
    start: () => startRedis({ directory: places.redis, durable: true, log: places.log('redis') }),
  })
  const nats_url = await open('NATS', {
    named: settings.NATS_URL,
    check: checkNats,
    start: () => startNats({ directory: places.nats, log: places.log('nats') }),
  })
  const postgres_home = settings.DATABASE_URL ? new URL(postgres_url).host : 'our own PostgreSQL'
  return { postgres_url, postgres_home, redis_url, nats_url }
}
