import { connect } from '@nats-io/transport-node'
import { Redis } from 'ioredis'
import pg from 'pg'
import { compareVersions, LocalFailure, needed, programList, versionNumbers } from '#local'

const deadlineMs = 5_000

/** Asks the PostgreSQL that DATABASE_URL names for its version. Throws a sentence when it is away, too old, or not ours to use. */
export async function checkPostgres(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: deadlineMs })
  client.on('error', () => {}) // a connection lost while it is being closed
  const { version, capable } = await answerOf('DATABASE_URL', url, async () => {
    await client.connect()
    const { rows } = await client.query<{ version: string; capable: boolean }>(
      `select current_setting('server_version') as version, rolsuper or (rolcreatedb and rolcreaterole) as capable
         from pg_roles where rolname = current_user`,
    )
    return rows[0] ?? { version: '', capable: false }
  }).finally(() => client.end())
  if (!capable)
    throw new LocalFailure('The user of DATABASE_URL may not create roles and databases. Name one that may.')
  return suitable('postgres', 'DATABASE_URL', version)
}

/** The same for REDIS_URL; Valkey tells which Redis it stands for. */
export async function checkRedis(url: string): Promise<string> {
  const redis = new Redis(url, { lazyConnect: true, connectTimeout: deadlineMs, retryStrategy: () => null })
  let reason: unknown
  redis.on('error', (error) => {
    reason = error
  })
  const info = await answerOf('REDIS_URL', url, async () => {
    await redis.connect().catch((error: unknown) => {
      throw reason ?? error
    })
    return redis.info('server')
  }).finally(() => redis.disconnect())
  return suitable('redis', 'REDIS_URL', /redis_version:(\S+)/.exec(info)?.[1] ?? '')
}

/** The same for NATS_URL. */
export async function checkNats(url: string): Promise<string> {
  const connection = await answerOf('NATS_URL', url, () =>
    connect({ servers: url.split(','), timeout: deadlineMs, reconnect: false }),
  )
  const version = connection.info?.version ?? ''
  await connection.close()
  return suitable('nats', 'NATS_URL', version)
}

async function answerOf<T>(variable: string, url: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message || Reflect.get(cause, 'code') : String(cause)
    const { host } = new URL(url)
    throw new LocalFailure(`The server that ${variable} names (${host}) cannot be used: ${reason}`, { cause })
  }
}

function suitable(name: 'postgres' | 'redis' | 'nats', variable: string, version: string): string {
  if (compareVersions(versionNumbers(version), programList[name].atLeast) >= 0) return version
  throw new LocalFailure(
    `${needed(name)} is needed, and the server that ${variable} names is ${version || 'of an unknown version'}.`,
  )
}
