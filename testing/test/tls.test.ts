import { chownSync, copyFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nkeys } from '@nats-io/transport-node'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectBus } from '#bus'
import { openDatabase } from '#database'
import { findFreePort, type RunningServer, startNats, startPostgres, startRedis, startSentinel } from '#local'
import { createLogger, parseRedisUrl } from '#runtime'
import { connectRedis } from '../../services/api-gateway/redis.ts'
import { openRedis } from '../../services/provider-auth/redis.ts'
import { createAuthority } from '../certificates.ts'
import { openForTest } from '../databases.ts'
import { waitForCluster } from '../redis-cluster-servers.ts'

const logger = createLogger('test', 'silent')
const directory = mkdtempSync(join(tmpdir(), 'social-login-tls-'))
const trusted = createAuthority(join(directory, 'trusted'))
const stranger = createAuthority(join(directory, 'stranger'))
const server = trusted.certify('localhost')
/** The client certificate, if a server requires it. */
const own = trusted.certify('gateway')
const user = nkeys.createUser()
const seedFile = join(directory, 'user.nk')

const parts: RunningServer[] = []
/** Ports of servers whose certificate has only `localhost`. */
const ports = { nats: 0, nats_elsewhere: 0, redis: 0, sentinel: 0, cluster: 0, postgres: 0 }
let superuser: URL

beforeAll(async () => {
  writeFileSync(seedFile, user.getSeed())
  const [nats, elsewhere, redis, postgres] = await Promise.all([
    startNatsAs(server),
    startNatsAs(trusted.certify('elsewhere')),
    startRedis({ directory: join(directory, 'redis'), durable: false }),
    startPostgres({ directory: join(directory, 'postgres'), durable: false }),
  ])
  parts.push(nats, elsewhere, redis, postgres)
  ports.nats = Number(new URL(nats.url).port)
  ports.nats_elsewhere = Number(new URL(elsewhere.url).port)
  superuser = new URL(postgres.url)
  ports.postgres = Number(new URL(postgres.url).port)
  ports.redis = await findFreePort()
  ports.sentinel = await findFreePort()
  await turnOnRedisTls(redis.url, ports.redis)
  parts.push(await startSentinelWithTls(), await startClusterWithTls())
  await turnOnPostgresTls(postgres.url)
})

afterAll(async () => {
  await Promise.all(parts.map(({ stop }) => stop()))
  rmSync(directory, { recursive: true, force: true })
})

function startNatsAs({ cert_file, key_file }: { cert_file: string; key_file: string }): Promise<RunningServer> {
  const text = `
    tls { cert_file: "${cert_file}", key_file: "${key_file}", ca_file: "${trusted.ca_file}", verify: true }
    authorization { users: [{ nkey: "${user.getPublicKey()}" }, { user: "identity", password: "password" }] }
  `
  return startNats({ directory: mkdtempSync(join(directory, 'nats-')), configuration: { text, environment: {} } })
}

async function turnOnRedisTls(url: string, port: number): Promise<void> {
  const redis = new Redis(url)
  await redis.call('acl', 'setuser', 'gateway', 'on', '>password', '~*', '&*', '+@all')
  await redis.call(
    ...(['config', 'set', 'tls-cert-file', server.cert_file, 'tls-key-file', server.key_file] as const),
    ...(['tls-ca-cert-file', trusted.ca_file, 'tls-auth-clients', 'yes', 'tls-port', String(port)] as const),
  )
  redis.disconnect()
}

/** A cluster of one server, which announces its host name. */
async function startClusterWithTls(): Promise<RunningServer> {
  const [busPort, port] = [await findFreePort(), await findFreePort()]
  ports.cluster = port
  const cluster = { port: busPort, nodeTimeoutMs: 500 }
  const server = await startRedis({ directory: join(directory, 'cluster'), durable: false, cluster })
  await turnOnRedisTls(server.url, port)
  const redis = new Redis(server.url)
  const announced = [
    'cluster-announce-hostname',
    'localhost',
    'cluster-preferred-endpoint-type',
    'hostname',
    'cluster-announce-tls-port',
    String(port),
    'tls-cluster',
    'yes',
  ]
  await redis.call('config', 'set', ...announced)
  await redis.cluster('ADDSLOTS', ...Array.from({ length: 16_384 }, (_, slot) => slot))
  await waitForCluster(async () => (await redis.cluster('INFO')).includes('cluster_state:ok'))
  redis.disconnect()
  return server
}

/** It requires a password of its own, and names the master by its host name. */
function startSentinelWithTls(): Promise<RunningServer> {
  const settings = [
    `tls-port ${ports.sentinel}`,
    `tls-cert-file ${server.cert_file}`,
    `tls-key-file ${server.key_file}`,
    `tls-ca-cert-file ${trusted.ca_file}`,
    'tls-auth-clients yes',
    'tls-replication yes',
    'requirepass secret',
    'sentinel resolve-hostnames yes',
    'sentinel announce-hostnames yes',
  ]
  const master = { name: 'master', host: 'localhost', port: ports.redis }
  return startSentinel({ directory: join(directory, 'sentinel'), master, quorum: 1, downAfterMs: 60_000, settings })
}

async function turnOnPostgresTls(url: string): Promise<void> {
  await using database = openForTest(url)
  const { rows } = await database.knex.raw(`select current_setting('data_directory') as home`)
  const home: string = rows[0].home
  const { uid, gid } = statSync(home)
  for (const [from, to] of [
    [server.cert_file, 'server.crt'],
    [server.key_file, 'server.key'],
  ] as const) {
    copyFileSync(from, join(home, to))
    chownSync(join(home, to), uid, gid)
  }
  await database.knex.raw('alter system set ssl = on')
  await database.knex.raw('select pg_reload_conf()')
}

const clientFiles = { cert: own.cert_file, key: own.key_file }

const redisConfig = (host: string, caFile: string, url = `rediss://gateway:password@${host}:${ports.redis}`) => ({
  REDIS_URL: parseRedisUrl(url),
  REDIS_CA_FILE: caFile,
  REDIS_CERT_FILE: clientFiles.cert,
  REDIS_KEY_FILE: clientFiles.key,
})

/** Opens a service's connection to a host, trusting an authority; resolves when it is usable. */
const openers = {
  async NATS(host: string, caFile: string, port = ports.nats) {
    const { cert, key } = clientFiles
    const files = { NATS_CA_FILE: caFile, NATS_CERT_FILE: cert, NATS_KEY_FILE: key, NATS_CREDS_FILE: seedFile }
    await using bus = await connectBus(`nats://${host}:${port}`, { name: 'test', logger, files })
    await bus.connection.flush()
  },
  async 'NATS by a password'(host: string, caFile: string) {
    const files = { NATS_CA_FILE: caFile, NATS_CERT_FILE: clientFiles.cert, NATS_KEY_FILE: clientFiles.key }
    const url = `tls://identity:password@${host}:${ports.nats}`
    await using bus = await connectBus(url, { name: 'test', logger, files })
    await bus.connection.flush()
  },
  async 'Redis of provider-auth'(host: string, caFile: string) {
    await using redis = await openRedis(redisConfig(host, caFile), logger)
    await redis.redis.ping()
  },
  async 'Redis by Sentinel'(host: string, caFile: string) {
    const url = `rediss+sentinel://gateway:password@${host}:${ports.sentinel}/master?sentinel_password=secret`
    await using redis = await openRedis(redisConfig(host, caFile, url), logger)
    await redis.redis.ping()
  },
  async 'Redis Cluster'(host: string, caFile: string) {
    const url = `rediss+cluster://gateway:password@${host}:${ports.cluster}`
    await using redis = await openRedis(redisConfig(host, caFile, url), logger)
    await redis.redis.set('key', 'value')
  },
  async 'Redis of the gateway'(host: string, caFile: string) {
    await using redis = await connectRedis(redisConfig(host, caFile), { logger, timeoutMs: 2_000 })
    if (!redis.usable()) throw new Error('Redis is not usable')
  },
  async Postgres(host: string, caFile: string) {
    const { username, password } = superuser
    const url = `postgres://${username}:${password}@${host}:${ports.postgres}/postgres?sslmode=verify-full&sslrootcert=${caFile}`
    await using database = await openDatabase({ DATABASE_URL: url }, { name: 'test', logger })
    const { rows } = await database.knex.raw('select ssl from pg_stat_ssl where pid = pg_backend_pid()')
    if (rows[0].ssl !== true) throw new Error('no TLS')
  },
}
const all = Object.entries(openers)

test.each(all)('%s is used by TLS if the authority is trusted and the certificate has the name', async (_, open) => {
  await open('localhost', trusted.ca_file)
})

test.each(all)('%s is rejected if another authority is trusted', async (_, open) => {
  await expect(open('localhost', stranger.ca_file)).rejects.toThrow()
})

test.each(all)('%s is rejected under a name that is not in its certificate', async (_, open) => {
  await expect(open('127.0.0.1', trusted.ca_file)).rejects.toThrow()
})

test('NATS is rejected if its certificate is for another host', async () => {
  await expect(openers.NATS('localhost', trusted.ca_file, ports.nats_elsewhere)).rejects.toThrow()
})
