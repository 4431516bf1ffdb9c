import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { distribute, provisionDatabase } from '#database'
import { startPostgres } from '#local'
import { databaseOwners } from '../../../deploy/local/database-owners.ts'
import { getDatabasePassword } from '../../../deploy/local/databases.ts'
import { type Infrastructure, startInfrastructure } from '../../../deploy/local/infrastructure.ts'
import { openSecrets, type Secrets } from '../../../deploy/local/secrets.ts'
import { type CitusServer, connectWorkers, isCitus, startCitus } from '../../../testing/citus.ts'

/** The PostgreSQL of a stack: one server, or a coordinator of Citus with two workers. */
export interface StackPostgres extends AsyncDisposable {
  /** The superuser's URL, of the coordinator. */
  readonly url: string
  /** The superuser's URLs of the workers; none for one server. */
  readonly workers: readonly string[]
  /** The coordinator first. */
  readonly servers: readonly Pick<CitusServer, 'name' | 'pidFile' | 'log' | 'start'>[]
}

interface StackPostgresOptions {
  /** Default: whether `TEST_POSTGRES` says so. */
  readonly citus?: boolean
  /** Whether servers keep what they have committed when they are killed. Default: false. */
  readonly durable?: boolean
  /** Of the servers of Citus. */
  readonly citusSettings?: Readonly<Record<string, string>>
}

/** @param directory of the stack */
export async function startStackPostgres(
  directory: string,
  { citus = isCitus, durable = false, citusSettings = {} }: StackPostgresOptions = {},
): Promise<StackPostgres> {
  const own = join(directory, 'postgres')
  if (citus) {
    // If root runs the tests, Postgres runs as another user, who needs access to the directory.
    await mkdir(own, { recursive: true, mode: 0o711 })
    const { stop, ...started } = await startCitus(own, { durable, settings: citusSettings })
    return { ...started, [Symbol.asyncDispose]: stop }
  }
  const log = join(own, 'postgres.log')
  const start = (port?: number) => startPostgres({ directory: own, durable, log, ...(port !== undefined && { port }) })
  const { url, stop } = await start()
  const server = { name: 'postgres', pidFile: join(own, 'postgres.pid'), log, start }
  return { url, workers: [], servers: [server], [Symbol.asyncDispose]: stop }
}

/** As `startInfrastructure`, on this PostgreSQL, on whose workers the tables are distributed, if there are any. */
export async function startInfrastructureOn(
  { url, workers }: StackPostgres,
  [settings, paths, options]: Parameters<typeof startInfrastructure>,
): Promise<Infrastructure> {
  const { step } = options
  const distributed = databaseOwners.filter(({ distribution }) => workers.length > 0 && distribution !== undefined)
  if (distributed.length > 0)
    await step('Workers', async (note) => {
      await connectDatabases(
        [url, ...workers],
        distributed.map(({ database }) => database),
        openSecrets(paths.secrets),
      )
      note(`${workers.length}`)
    })
  const infrastructure = await startInfrastructure(settings, paths, options)
  if (distributed.length > 0)
    await step('Distribution', async (note) => {
      for (const { database, distribution } of distributed) {
        const owned = infrastructure.wiring.database_urls.get(database)
        if (owned !== undefined && distribution !== undefined) await distribute(owned, distribution)
      }
      note(`${distributed.length} databases`)
    })
  return infrastructure
}

/** One after another, because Citus changes the roles of the servers with each database. */
async function connectDatabases(servers: readonly string[], names: readonly string[], secrets: Secrets): Promise<void> {
  for (const name of names) {
    const role = { name, password: getDatabasePassword(secrets, name) }
    for (const server of servers) await provisionDatabase(server, role)
    await connectWorkers(servers, role)
  }
}
