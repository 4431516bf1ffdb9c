import { connect } from '@nats-io/transport-node'
import { Redis } from 'ioredis'
import pg from 'pg'
import { compareVersions, describeRequirement, programList, SetupError, versionNumbers } from '#local'
import { toServerUrl } from './redis-server-url.ts'

const deadlineMs = 5_000

/**
 * Reads the version of the PostgreSQL at DATABASE_URL.
 *
 * @throws SetupError if it is unavailable, too old, or the user cannot create roles and databases
 */
export async function checkPostgres(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: deadlineMs })
  client.on('error', () => {}) // a connection lost while it is being closed
  const { version, capable } = await query('DATABASE_URL', url, async () => {
    await client.connect()
    const { rows } = await client.query<{ version: string; capable: boolean }>(
      `select current_setting('server_version') as version, rolsuper or (rolcreatedb and rolcreaterole) as capable
         from pg_roles where rolname = current_user`,
    )
    return rows[0] ?? { version: '', capable: false }
  }).finally(() => client.end())
  if (!capable) throw new SetupError('The user of DATABASE_URL cannot create roles and databases. Use one that can.')
  return suitable('postgres', 'DATABASE_URL', version)
}

/**
 * Reads the version of the Redis at REDIS_URL, or of the first server of a cluster; Valkey reports the Redis version that it is
 * compatible with.
 */
export async function checkRedis(redisUrl: string): Promise<string> {
  const url = toServerUrl(redisUrl)
  const redis = new Redis(url, { lazyConnect: true, connectTimeout: deadlineMs, retryStrategy: () => null })
  let reason: unknown
  redis.on('error', (error) => {
    reason = error
  })
  const info = await query('REDIS_URL', url, async () => {
    await redis.connect().catch((error: unknown) => {
      throw reason ?? error
    })
    return redis.info('server')
  }).finally(() => redis.disconnect())
  return suitable('redis', 'REDIS_URL', /redis_version:(\S+)/.exec(info)?.[1] ?? '')
}

/** Reads the version of the server at NATS_URL. */
export async function checkNats(url: string): Promise<string> {
  const connection = await query('NATS_URL', url, () =>
    connect({ servers: url.split(','), timeout: deadlineMs, reconnect: false }),
  )
  const version = connection.info?.version ?? ''
  await connection.close()
  return suitable('nats', 'NATS_URL', version)
}

async function query<T>(variable: string, url: string, send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message || Reflect.get(cause, 'code') : String(cause)
    const { host } = new URL(url)
    throw new SetupError(`The server of ${variable} (${host}) cannot be used: ${reason}`, { cause })
  }
}

function suitable(name: 'postgres' | 'redis' | 'nats', variable: string, version: string): string {
  if (compareVersions(versionNumbers(version), programList[name].atLeast) >= 0) return version
  throw new SetupError(
    `${describeRequirement(name)} is required. The server of ${variable} is ${version || 'of an unknown version'}.`,
  )
}
