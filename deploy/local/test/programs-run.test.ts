import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { connect as connectNats } from '@nats-io/transport-node'
import { Redis } from 'ioredis'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  findFreePort,
  removeRelocatedPostgres,
  runningPid,
  SetupError,
  startNats,
  startPostgres,
  startRedis,
} from '#local'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'social-login-parts-'))
  await chmod(root, 0o755) // for the user that PostgreSQL runs as when root runs the tests
})
afterAll(async () => {
  await rm(root, { recursive: true, force: true })
})

async function query(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query({ text: sql, rowMode: 'array' })
    return rows[0]?.[0]
  } finally {
    await client.end()
  }
}

async function sendRedisCommand(url: string, ...command: [string, ...string[]]): Promise<unknown> {
  const redis = new Redis(url)
  try {
    return await redis.call(...command)
  } finally {
    redis.disconnect()
  }
}

async function refuses(port: number, host: string): Promise<boolean> {
  const socket = connect({ port, host })
  const outcome = await Promise.race([
    once(socket, 'connect').then(() => false),
    once(socket, 'error').then(() => true),
  ]).catch(() => true)
  socket.destroy()
  return outcome
}

const portOf = (url: string) => Number(new URL(url).port)

function kill(pidFile: string): void {
  const pid = runningPid(pidFile)
  if (pid === undefined) throw new Error(`${pidFile} names no running process`)
  process.kill(pid, 'SIGKILL')
}

describe('PostgreSQL', () => {
  test('retains data if it is durable, and its superuser needs the password', async () => {
    const directory = join(root, 'durable-postgres')
    const first = await startPostgres({ directory, durable: true })
    await query(first.url, 'create table stored as select 7 as number')
    await expect(query(first.url.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toThrow('password')
    await first.stop()

    await using second = await startPostgres({ directory, durable: true })
    expect(await query(second.url, 'select number from stored')).toBe(7)
    expect(await query(second.url, 'show server_encoding')).toBe('UTF8')
    expect(await query(second.url, `select datcollate from pg_database where datname = 'template1'`)).toBe('C')
    expect(await query(second.url, 'show fsync')).toBe('on')
  })

  test('its password file can be read only by its owner', async () => {
    const directory = join(root, 'password-postgres')
    await using _postgres = await startPostgres({ directory, durable: false })
    expect(statSync(join(directory, 'password')).mode & 0o077).toBe(0)
  })

  test.runIf(process.getuid?.() === 0)(
    'started by root, it stores its data where its own user can read it, and deletes it there',
    async () => {
      const secluded = join(root, 'secluded')
      await mkdir(secluded, { mode: 0o700 })
      const directory = join(secluded, 'postgres')
      const postgres = await startPostgres({ directory, durable: false })
      expect(await query(postgres.url, 'select 1')).toBe(1)
      const home = String(await query(postgres.url, 'show data_directory'))
      expect(home.startsWith(root)).toBe(false)
      await postgres.stop()
      expect(existsSync(home)).toBe(false)

      const lasting = await startPostgres({ directory, durable: true })
      await query(lasting.url, 'create table stored as select 9 as number')
      await lasting.stop()
      const again = await startPostgres({ directory, durable: true })
      expect(await query(again.url, 'select number from stored')).toBe(9)
      await again.stop()
      const relocated = readFileSync(join(directory, 'data-directory'), 'utf8').trim()
      expect(existsSync(join(relocated, 'data'))).toBe(true)
      removeRelocatedPostgres(directory)
      expect(existsSync(relocated)).toBe(false)
    },
  )

  test('starts again after it was killed', async () => {
    const directory = join(root, 'killed-postgres')
    const killed = await startPostgres({ directory, durable: true })
    await query(killed.url, 'create table stored as select 8 as number')
    kill(join(directory, 'postgres.pid'))
    await killed.exited
    await using again = await startPostgres({ directory, durable: true })
    expect(await query(again.url, 'select number from stored')).toBe(8)
  })

  test('starts again after its first initialization was interrupted', async () => {
    const directory = join(root, 'interrupted-postgres')
    await mkdir(join(directory, 'data-new'), { recursive: true })
    await writeFile(join(directory, 'data-new', 'PG_VERSION'), '15\n')
    await using postgres = await startPostgres({ directory, durable: false })
    expect(await query(postgres.url, 'select 1')).toBe(1)
  })

  test('names the missing version if another version created the data', async () => {
    const directory = join(root, 'old-postgres')
    await mkdir(join(directory, 'data'), { recursive: true })
    await writeFile(join(directory, 'data', 'PG_VERSION'), '9\n')
    const starting = startPostgres({ directory, durable: true })
    await expect(starting).rejects.toThrow(/was created by PostgreSQL 9, which is not installed/)
  })
})

describe('Redis', () => {
  test('retains data if it is durable', async () => {
    const directory = join(root, 'durable-redis')
    const first = await startRedis({ directory, durable: true })
    await sendRedisCommand(first.url, 'set', 'stored', 'yes')
    await first.stop()
    await using second = await startRedis({ directory, durable: true })
    expect(await sendRedisCommand(second.url, 'get', 'stored')).toBe('yes')
  })

  test('leaves no data file if it is not durable', async () => {
    const directory = join(root, 'forgetful-redis')
    const redis = await startRedis({ directory, durable: false })
    await sendRedisCommand(redis.url, 'set', 'stored', 'no')
    await redis.stop()
    expect(readdirSync(directory)).toEqual(['redis.log'])
  })

  test('restarts on the given port', async () => {
    const directory = join(root, 'same-port-redis')
    const first = await startRedis({ directory, durable: false })
    await first.stop()
    await using second = await startRedis({ directory, durable: false, port: portOf(first.url) })
    expect(second.url).toBe(first.url)
    expect(await sendRedisCommand(second.url, 'ping')).toBe('PONG')
  })
})

test('NATS serves, and stopping it twice is no error', async () => {
  const nats = await startNats({ directory: join(root, 'nats') })
  const connection = await connectNats({ servers: nats.url })
  expect(connection.info?.version).toBe(nats.version)
  await connection.close()
  await nats.stop()
  await nats.stop()
  expect(await refuses(portOf(nats.url), '127.0.0.1')).toBe(true)
})

test('programs listen only on 127.0.0.1', async () => {
  await using nats = await startNats({ directory: join(root, 'private-nats') })
  await using redis = await startRedis({ directory: join(root, 'private-redis'), durable: false })
  await using postgres = await startPostgres({ directory: join(root, 'private-postgres'), durable: false })
  const others = Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).filter(({ internal, family }) => !internal && family === 'IPv4'),
  )
  const hosts = ['127.0.0.2', '::1', ...others.map(({ address }) => address)]
  for (const { url } of [nats, redis, postgres]) {
    for (const host of hosts) expect(await refuses(portOf(url), host), `${url} at ${host}`).toBe(true)
  }
})

test('a port is given to only one process until that process ends', async () => {
  const range = { lowest: 14_990, highest: 14_993 }
  const taker = `
    const { findFreePort } = await import('#local')
    const range = ${JSON.stringify(range)}
    console.log([await findFreePort(range), await findFreePort(range)].join())
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', taker], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line = ''] = await once(createInterface(child.stdout), 'line')
  const theirs = String(line).split(',').map(Number)
  const third = await findFreePort(range)
  expect(new Set([...theirs, third]).size).toBe(3)

  const over = once(child, 'close')
  child.kill('SIGKILL')
  await over
  expect(new Set([await findFreePort(range), await findFreePort(range)])).toEqual(new Set(theirs))
})

test('a port that another program uses: the error contains the end of the log', async () => {
  const other = createServer().listen(await findFreePort(), '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const directory = join(root, 'taken-nats')
  const failure: unknown = await startNats({ directory, port }).catch((error: unknown) => error)
  other.close()
  expect(failure).toBeInstanceOf(SetupError)
  expect(String(failure)).toMatch(/NATS ended with exit code 1 instead of starting.*address already in use/s)
})

describe('when the process that started the programs is killed', () => {
  const starter = `
    const { startNats, startPostgres, startRedis } = await import('#local')
    const [root, ...ports] = process.argv.slice(1)
    const [nats, redis, postgres] = ports.map(Number)
    await Promise.all([
      startNats({ directory: root + '/nats', port: nats }),
      startRedis({ directory: root + '/redis', durable: true, port: redis }),
      startPostgres({ directory: root + '/postgres', durable: true, port: postgres }),
    ])
    console.log('ready')
    setInterval(() => {}, 1000)`

  test('they end by themselves, and the next start with the same data waits for that', async () => {
    const directory = join(root, 'orphans')
    await mkdir(directory)
    // Reserved by this process, so that nothing else listens on them after the starter has ended.
    const ports = [await findFreePort(), await findFreePort(), await findFreePort()]
    const child = spawn(process.execPath, ['--input-type=module', '-e', starter, directory, ...ports.map(String)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), once(child, 'exit')])
    expect(line).toBe('ready')
    for (const port of ports) expect(await refuses(port, '127.0.0.1')).toBe(false)
    child.kill('SIGKILL')
    await once(child, 'exit')

    await using postgres = await startPostgres({ directory: join(directory, 'postgres'), durable: true })
    await using redis = await startRedis({ directory: join(directory, 'redis'), durable: true })
    await using _nats = await startNats({ directory: join(directory, 'nats') })
    for (const port of ports) expect(await refuses(port, '127.0.0.1')).toBe(true)
    expect(await query(postgres.url, 'select 1')).toBe(1)
    expect(await sendRedisCommand(redis.url, 'ping')).toBe('PONG')
  })
})
