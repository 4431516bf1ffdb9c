import { join } from 'node:path'
import pg from 'pg'
import { sessionLimits } from '#database'
import { requireProgram, startPgBouncer, supportsPreparedStatements } from '#local'
import type { Environment } from '#runtime'
import { createNatsConfiguration, natsUrlOf } from '../../../deploy/local/dependencies.ts'
import { findPublicPorts } from '../../../deploy/local/find-public-ports.ts'
import { startInfrastructure } from '../../../deploy/local/infrastructure.ts'
import { createPaths } from '../../../deploy/local/paths.ts'
import { openSecrets } from '../../../deploy/local/secrets.ts'
import { readSettings } from '../../../deploy/local/settings.ts'
import { supervise } from '../../../deploy/local/supervise.ts'
import { type ControlledServer, controlServer } from '../../../testing/controlled-server.ts'
import { type NatsCluster, startNatsCluster } from '../../../testing/nats-cluster.ts'
import { type PostgresPair, startPostgresPair } from '../../../testing/postgres-pair.ts'
import { type RedisSet, startRedisSet } from '../../../testing/redis-set.ts'
import { type ReplicasOptions, type ServiceReplicas, startReplicas } from '../replicas/service-replicas.ts'

/** The product on servers of which another one takes over when one fails. */
export interface FailoverStack extends ServiceReplicas {
  readonly redis: RedisSet
  readonly nats: NatsCluster
  readonly postgres: PostgresPair
  readonly pgbouncer: ControlledServer
}

/** Services that connect to both servers of Postgres directly; the others use PgBouncer at the address that moves. */
const direct = ['profile', 'friendship', 'events']
/** After which Redis Sentinel replaces a silent master. */
const downAfterMs = 2_000
/** Connections of PgBouncer to Postgres for each service. */
const poolSize = 20

export async function startFailoverStack(
  directory: string,
  { step, interruption }: Pick<ReplicasOptions, 'step' | 'interruption'>,
): Promise<FailoverStack> {
  await using starting = new AsyncDisposableStack()
  const settings = readSettings({ ...(await findPublicPorts()), LOCAL_DIRECTORY: directory })
  const paths = createPaths(directory)
  const redis = starting.use(await step('Redis', () => startRedisSet(join(directory, 'redis'), { downAfterMs })))
  const postgres = starting.use(await step('PostgreSQL', () => startPostgresPair(directory)))
  const passwords = openSecrets(paths.secrets)
  const nats = starting.use(
    await step('NATS', () => startNatsCluster(join(directory, 'nats'), createNatsConfiguration(passwords))),
  )
  const servers = {
    postgres_url: postgres.url,
    postgresHome: 'two PostgreSQL servers',
    redisUrl: redis.url,
    natsUrlOf: (service: string) => nats.urls.map((url) => natsUrlOf(service, url, passwords)).join(','),
  }
  const supervision = supervise(starting)
  const { wiring, secrets } = await startInfrastructure(settings, paths, { supervision, step, interruption, servers })

  const urls = [...wiring.database_urls.values()].map((url) => new URL(url))
  const roles = new Map(urls.map(({ username, password }) => [username, decodeURIComponent(password)]))
  await limitSessions(postgres.url, [...roles.keys()])
  const startPooler = (port?: number) =>
    startPgBouncer({
      directory: join(directory, 'pgbouncer'),
      postgresUrl: postgres.url,
      roles,
      poolSize,
      ...(port !== undefined && { port }),
    })
  const pooler = starting.use(await step('PgBouncer', () => startPooler()))
  const pidFile = join(directory, 'pgbouncer', 'pgbouncer.pid')
  const pgbouncer = starting.use(controlServer({ url: pooler.url, pidFile, start: startPooler }))
  const isPrepared = supportsPreparedStatements(await requireProgram('pgbouncer'))

  const environmentOf = (service: string): Environment => {
    const url = wiring.database_urls.get(service.replace('-', '_'))
    if (url === undefined) return {}
    const withHosts = (hosts: string) => url.replace(new URL(url).host, hosts)
    return direct.includes(service)
      ? { DATABASE_URL: `${withHosts(postgres.hosts.join(','))}?target_session_attrs=read-write` }
      : {
          DATABASE_URL: withHosts(new URL(pooler.url).host),
          DATABASE_PREPARED_STATEMENTS: isPrepared ? 'yes' : 'no',
        }
  }
  const options = { step, interruption, proxied: false, environmentOf }
  const replicas = starting.use(await startReplicas({ wiring, paths, secrets }, options))
  const stack = starting.move()
  return { ...replicas, redis, nats, postgres, pgbouncer, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

/** Gives the roles the time limits that PgBouncer does not pass on. */
async function limitSessions(superuserUrl: string, roles: readonly string[]): Promise<void> {
  const superuser = new pg.Client({ connectionString: superuserUrl })
  await superuser.connect()
  try {
    for (const role of roles)
      for (const [name, value] of Object.entries(sessionLimits))
        await superuser.query(`alter role ${superuser.escapeIdentifier(role)} set ${name} = ${value}`)
  } finally {
    await superuser.end()
  }
}
