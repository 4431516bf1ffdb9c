import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync, utimesSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { provisionDatabase } from '#database'
import { runningPid, startNats, startPostgres, startRedis } from '#local'
import { openForTest } from '#testing'
import { createLocalSettings, findRunningPrograms, launch, readJson } from './launch.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'social-login-start-'))
  await chmod(root, 0o755)
})
afterAll(async () => {
  await rm(root, { recursive: true, force: true })
})

const programs = [
  'api-gateway',
  'console',
  'events',
  'friendship',
  'identity',
  'nats',
  'postgres',
  'profile',
  'provider-auth',
  'provider-simulator',
  'redis',
  'shop',
  'start',
]
const namesOf = (files: string[]) => files.map((file) => /([\w-]+)\.pid$/.exec(file)?.[1]).sort()

function pidsIn(directory: string): number[] {
  return programs.flatMap((name) => runningPid(join(directory, `run/${name}.pid`)) ?? [])
}

/** Addresses other than loopback that these processes listen on, as Linux writes them: `<hex address>:<hex port>`. */
function openToOthers(pids: readonly number[]): string[] {
  const inodes = new Set(
    pids.flatMap((pid) =>
      readdirSync(`/proc/${pid}/fd`).map((fd) => /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${fd}`))?.[1]),
    ),
  )
  const rows = ['tcp', 'tcp6'].flatMap((table) => readFileSync(`/proc/net/${table}`, 'utf8').split('\n').slice(1))
  return rows.flatMap((row) => {
    const [, local = '', , state, , , , , , inode] = row.trim().split(/\s+/)
    const isLoopback = /^(0100007F|00000000000000000000000001000000):/.test(local)
    return state === '0A' && inodes.has(inode) && !isLoopback ? [local] : []
  })
}

/** Whether the process has not ended. A container can keep the entry of one that has. */
function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false // no such process
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return '' // closed meanwhile
  }
}

async function appinfo({ web_api, sites }: { web_api: string; sites: { api_key: string }[] }): Promise<unknown> {
  const response = await fetch(`${web_api}/appinfo?key=${sites[0]?.api_key}`)
  return await response.json()
}

describe('npm start', () => {
  test('starts everything, reports to scripts when it is ready, starts with its data again after it was killed, and stops everything after the crash of a service', async () => {
    const directory = join(root, 'usual')
    const environment = await createLocalSettings(directory)
    const file = join(directory, 'environment.json')

    const first = launch('start', environment)
    await first.printed('Databases')
    expect(existsSync(file)).toBe(false)
    await first.ready
    expect(namesOf(findRunningPrograms(directory))).toEqual(programs)
    expect(statSync(file).mode & 0o077).toBe(0)
    const environmentFile = readJson(file)
    expect(environmentFile).toMatchObject({
      web_api: `http://localhost:${environment.WEB_API_PORT}/api`,
      auth: `http://localhost:${environment.AUTH_PORT}`,
      simulator: `http://localhost:${environment.SIMULATOR_PORT}`,
      shop: `http://localhost:${environment.SHOP_PORT}`,
      console: `http://localhost:${environment.CONSOLE_PORT}`,
      console_sign_in: expect.stringMatching(/^http:\/\/localhost:\d+\/sign-in#[\w-]{43}$/),
      console_token: expect.stringMatching(/^slt_[\w-]{43}$/),
      sites: [
        {
          account: 'demo',
          site_id: 'shop',
          clients: [
            {
              redirect_uris: [`http://localhost:${environment.SHOP_PORT}/callback`, 'http://localhost:9/other?keep=1'],
            },
          ],
        },
        { account: 'demo', site_id: 'other' },
      ],
    })
    const { messaging } = environmentFile.sites[0].providers
    expect(messaging.authorize).toBe(`${environmentFile.auth}/oauth2/authorize/messaging/${messaging.identifier}`)
    expect(await appinfo(environmentFile)).toMatchObject({ status: 'ok' })
    if (existsSync('/proc/net/tcp')) expect(openToOthers(pidsIn(directory))).toEqual([])

    const second = await launch('start', environment).ended
    expect(second).toMatchObject({ code: 1, output: expect.stringMatching(/Already running as process \d+/) })
    const reset = await launch('reset', environment).ended
    expect(reset).toMatchObject({ code: 1, output: expect.stringMatching(/Process \d+ is running .* Stop it first/) })
    expect(await appinfo(environmentFile)).toMatchObject({ status: 'ok' })

    const pids = pidsIn(directory)
    first.send('SIGKILL')
    await first.ended
    const again = launch('start', environment)
    await again.ready
    expect(pids.filter(isRunning)).toEqual([])
    // New at every start.
    const access = { console_sign_in: expect.any(String), console_token: expect.any(String) }
    expect(readJson(file)).toEqual({ ...environmentFile, ...access })
    expect(await appinfo(environmentFile)).toMatchObject({ status: 'ok' })

    const gateway = runningPid(join(directory, 'run/api-gateway.pid'))
    if (gateway === undefined) throw new Error('the gateway does not run')
    process.kill(gateway, 'SIGKILL')
    const { code, output } = await again.ended
    expect(code).toBe(1)
    expect(output).toMatch(/api-gateway ended by itself with SIGKILL\. Its log is .*api-gateway\.log/)
    expect(findRunningPrograms(directory)).toEqual([])
    expect(existsSync(file)).toBe(false)

    expect(await launch('reset', environment).ended).toMatchObject({ code: 0 })
    expect(existsSync(directory)).toBe(false)
  })

  test('stops all started programs when it is interrupted during the start', async () => {
    const directory = join(root, 'interrupted')
    const start = launch('start', await createLocalSettings(directory))
    await start.printed('Databases')
    start.send('SIGINT')
    const { code, output } = await start.ended
    expect(code).toBe(0)
    expect(output).not.toContain('Ready')
    expect(findRunningPrograms(directory)).toEqual([])
  })

  test('stops when it is interrupted while a migration waits for a lock', async () => {
    const directory = join(root, 'waiting')
    await using postgres = await startPostgres({ directory: join(root, 'locked-postgres'), durable: false })
    const url = await provisionDatabase(postgres.url, { name: 'identity', password: 'identity' })
    await using locking = openForTest(url)
    await locking.knex.transaction(async (trx) => {
      await trx.raw('select pg_advisory_xact_lock(7305001)') // that of migrations
      const start = launch('start', { ...(await createLocalSettings(directory)), DATABASE_URL: postgres.url })
      const waiting = () => trx('pg_locks').where({ locktype: 'advisory', granted: false })
      await expect.poll(waiting).toHaveLength(1)
      start.send('SIGINT')
      expect(await start.ended).toMatchObject({ code: 0 })
      expect(findRunningPrograms(directory)).toEqual([])
    })
  })

  test('with --watch and servers that the environment names, restarts a changed service, and stops what it started on Ctrl-C', async () => {
    const directory = join(root, 'named')
    await using postgres = await startPostgres({ directory: join(root, 'their-postgres'), durable: false })
    await using redis = await startRedis({ directory: join(root, 'their-redis'), durable: false })
    await using nats = await startNats({ directory: join(root, 'their-nats') })
    const named = { DATABASE_URL: postgres.url, REDIS_URL: redis.url, NATS_URL: nats.url }
    const start = launch('start', { ...(await createLocalSettings(directory)), ...named }, '--watch')
    await start.ready
    expect(namesOf(findRunningPrograms(directory))).toEqual(
      programs.filter((name) => !/^(postgres|redis|nats)$/.test(name)),
    )
    const now = new Date()
    utimesSync('services/friendship/service.ts', now, now)
    await start.printed('friendship: services/friendship/service.ts changed, restarting')
    await start.printed('friendship: ready')
    expect(await appinfo(readJson(join(directory, 'environment.json')))).toMatchObject({ status: 'ok' })
    start.send('SIGINT')
    expect((await start.ended).code).toBe(0)
    expect(findRunningPrograms(directory)).toEqual([])
    const { code, output } = await launch('reset', { LOCAL_DIRECTORY: directory, DATABASE_URL: postgres.url }).ended
    expect(code).toBe(0)
    expect(output).toContain(
      'Dropped the databases console, events, friendship, identity, profile, provider_auth at DATABASE_URL.',
    )
  })
})

describe('prints one sentence, exits with 1 and leaves nothing running', () => {
  async function failToStart(name: string, environment: NodeJS.ProcessEnv): Promise<string> {
    const directory = join(root, name)
    const { code, output } = await launch('start', { ...(await createLocalSettings(directory)), ...environment }).ended
    expect(code, output).toBe(1)
    expect(output).not.toMatch(/^ {4}at /m)
    expect(findRunningPrograms(directory)).toEqual([])
    return output
  }

  test('when a port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const address = other.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const output = await failToStart('port-in-use', { AUTH_PORT: String(port) })
    other.close()
    expect(output).toContain(`Port ${port} (authorization) is in use. Stop the program that uses it or set AUTH_PORT.`)
  })

  test('when two interfaces have the same port', async () => {
    const output = await failToStart('same-port', { WEB_API_PORT: '18080', SHOP_PORT: '18080' })
    expect(output).toContain('WEB_API_PORT and SHOP_PORT are both 18080. Set one of them to another port.')
  })

  test('when a port is not a number', async () => {
    expect(await failToStart('no-port', { WEB_API_PORT: 'http' })).toContain('WEB_API_PORT is wrong')
  })

  test('when the database of DATABASE_URL is unavailable, without printing its password', async () => {
    const output = await failToStart('dead-postgres', {
      DATABASE_URL: 'postgres://postgres:hunter2@127.0.0.1:9/postgres',
    })
    expect(output).toMatch(/The server of DATABASE_URL \(127\.0\.0\.1:9\) cannot be used: .*ECONNREFUSED/)
    expect(output).not.toContain('hunter2')
  })

  test('when the Redis of REDIS_URL is unavailable', async () => {
    const output = await failToStart('dead-redis', { REDIS_URL: 'redis://127.0.0.1:9' })
    expect(output).toMatch(/The server of REDIS_URL \(127\.0\.0\.1:9\) cannot be used: .*ECONNREFUSED/)
  })

  test('when the NATS of NATS_URL is unavailable', async () => {
    const output = await failToStart('dead-nats', { NATS_URL: 'nats://127.0.0.1:9' })
    expect(output).toMatch(/The server of NATS_URL \(127\.0\.0\.1:9\) cannot be used: /)
  })

  test('when a service cannot start: names it, the reason and its log', async () => {
    await mkdir(join(root, 'broken'), { recursive: true })
    await writeFile(join(root, 'broken', 'secrets.json'), JSON.stringify({ cursor_key: 'c2hvcnQ=' }))
    const output = await failToStart('broken', {})
    expect(output).toMatch(/api-gateway ended with exit code 1 instead of starting\. Its log is .*api-gateway\.log/)
    expect(output).toContain('CURSOR_KEY is wrong: must be the base64 of 32 bytes')
  })
})
