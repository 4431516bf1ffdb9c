import { join } from 'node:path'
import pg from 'pg'
import { type RunningServer, startPostgres } from '#local'

/** Whether tests run on Citus (`TEST_POSTGRES=citus`). */
export const isCitus = process.env.TEST_POSTGRES === 'citus'

/** A coordinator of Citus and its workers, which accept the same passwords. */
export interface CitusServers {
  /** The superuser's URL of the coordinator. */
  readonly url: string
  /** The superuser's URLs of the workers. */
  readonly workers: readonly string[]
  /** The coordinator first. */
  readonly servers: readonly CitusServer[]
  readonly stop: () => Promise<void>
}

export interface CitusServer {
  readonly name: string
  readonly pidFile: string
  /** Where it logs. */
  readonly log: string
  /** Starts it again, with its data. */
  readonly start: (port?: number) => Promise<RunningServer>
}

interface CitusOptions {
  /** Whether it keeps what it has committed when it is killed. Default: false. */
  readonly durable?: boolean
  /** Of each server, besides those of tests. */
  readonly settings?: Readonly<Record<string, string>>
}

/** Each database has a process on each server, and each connection of the coordinator one to each worker. */
const testSettings = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_wal_senders: '10',
  max_prepared_transactions: '500',
  max_worker_processes: '400',
  max_connections: '1500',
  'citus.shard_count': '4',
  'citus.log_distributed_deadlock_detection': 'off',
  // Two-phase commits that a crash has left open hold their locks until then.
  'citus.recover_2pc_interval': '2s',
}

/** Starts a coordinator and two workers. @throws Error if the extension is not installed */
export async function startCitus(
  directory: string,
  { durable = false, settings = {} }: CitusOptions = {},
): Promise<CitusServers> {
  await requireExtension(join(directory, 'check'))
  const servers = ['coordinator', 'worker-1', 'worker-2'].map((name): CitusServer => {
    const own = join(directory, name)
    const log = join(own, 'postgres.log')
    const start = (port?: number) =>
      startPostgres({
        directory: own,
        durable,
        log,
        settings: { ...testSettings, ...settings },
        ...(port !== undefined && { port }),
      })
    return { name, log, pidFile: join(own, 'postgres.pid'), start }
  })
  const running = await Promise.all(servers.map(({ start }) => start()))
  const [coordinator, ...others] = running
  if (coordinator === undefined) throw new Error('No server was started.')
  const { password } = new URL(coordinator.url)
  const workers = await Promise.all(
    others.map(async ({ url }) => {
      await runSql(url, `alter role postgres password '${decodeURIComponent(password)}'`)
      return Object.assign(new URL(url), { password }).href
    }),
  )
  return {
    url: coordinator.url,
    workers,
    servers,
    async stop() {
      await Promise.all(running.map(({ stop }) => stop()))
    },
  }
}

/** Connects the databases of this name on the servers, whose owner has this password on each. */
export async function connectWorkers(
  [coordinator = '', ...workers]: readonly string[],
  { name, password }: { readonly name: string; readonly password: string },
): Promise<void> {
  const urlOf = (url: string) => Object.assign(new URL(url), { pathname: `/${name}` })
  const superuser = urlOf(coordinator)
  for (const url of [coordinator, ...workers]) {
    await runSql(urlOf(url).href, 'create extension citus')
    for (const [role, secret] of [
      [name, password],
      [superuser.username, decodeURIComponent(superuser.password)],
    ])
      await runSql(urlOf(url).href, 'insert into pg_dist_authinfo values (0, $1, $2)', [role, `password=${secret}`])
  }
  await runSql(superuser.href, 'select citus_set_coordinator_host($1, $2)', [superuser.hostname, superuser.port])
  for (const worker of workers.map(urlOf))
    await runSql(superuser.href, 'select citus_add_node($1, $2)', [worker.hostname, worker.port])
}

/** Citus is a library that must be loaded when a server starts, which does not start if it is missing. */
async function requireExtension(directory: string): Promise<void> {
  const version = await findVersionWithoutCitus(directory)
  if (version !== undefined)
    throw new Error(
      `TEST_POSTGRES=citus needs the extension citus, which PostgreSQL ${version} does not have. Install it, or unset TEST_POSTGRES.`,
    )
}

/** @returns the version of PostgreSQL if it does not have the extension */
export async function findVersionWithoutCitus(directory: string): Promise<string | undefined> {
  const { url, stop, version } = await startPostgres({ directory, durable: false })
  const rows = await runSql(url, `select from pg_available_extensions where name = 'citus'`)
  await stop()
  return rows === 0 ? version : undefined
}

/** @returns the number of rows */
async function runSql(url: string, text: string, values: unknown[] = []): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text, values)).rowCount ?? 0
  } finally {
    await client.end()
  }
}
