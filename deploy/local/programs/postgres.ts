import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { copyPostgres, findMatchingPostgres, initializePostgres, postgresEnvironment } from './postgres-cluster.ts'
import { choosePostgresDirectory } from './postgres-directory.ts'
import { type RunningServer, toRunningServer } from './running-server.ts'
import { startServer } from './server.ts'
import { findUnprivilegedUser } from './unprivileged-user.ts'

const commonSettings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: '500' }
const durableSettings = { shared_buffers: '128MB' }
const forgetfulSettings = {
  shared_buffers: '64MB',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
}

export interface PostgresOptions {
  readonly directory: string
  /** True keeps the data safe for the next start; false trades that for speed. */
  readonly durable: boolean
  readonly port?: number
  readonly log?: string
  /** Further parameters of the server. */
  readonly settings?: Readonly<Record<string, string>>
  /** The superuser's URL of the server of which it becomes a new copy: a standby, without the data that it had. */
  readonly standbyOf?: string | undefined
}

/**
 * Starts PostgreSQL and creates its files at first use: UTF-8, locale C, one superuser with a random password. `url` is that
 * superuser's. Run by root, it becomes an unprivileged user.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningServer> {
  const user = findUnprivilegedUser()
  const { directory, durable, port, log = join(directory, 'postgres.log'), standbyOf } = options
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const home = user === undefined ? directory : choosePostgresDirectory(user, directory, durable)
  const data = join(home, 'data')
  const passwordFile = join(home, 'password')
  if (standbyOf !== undefined) {
    await rm(data, { recursive: true, force: true })
    await writeFile(passwordFile, decodeURIComponent(new URL(standbyOf).password), { mode: 0o600 })
  }
  const program = await findMatchingPostgres(data)

  if (!existsSync(passwordFile)) await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 })
  if (user !== undefined) await chown(passwordFile, user.uid, user.gid)
  if (standbyOf !== undefined) await copyPostgres({ program, data, url: standbyOf, user })
  else if (!existsSync(data)) await initializePostgres({ program, data, passwordFile, user })

  const settings = Object.entries({
    ...commonSettings,
    ...(durable ? durableSettings : forgetfulSettings),
    ...options.settings,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = await startServer({
    title: 'PostgreSQL',
    command: program.path,
    args: (port) => ['-D', data, '-p', String(port), ...settings],
    ready: /database system is ready to accept (read-only )?connections/,
    // The port went to another program, or a killed server's memory is about to be released.
    transientError: /could not bind|Address already in use|shared memory block/,
    port,
    log,
    pidFile: join(directory, 'postgres.pid'),
    environment: postgresEnvironment,
    stopSignal: 'SIGINT',
    stopDeadlineMs: 30_000,
    stopsWithParentBy: 'watcher',
    workingDirectory: home,
    ...(user && { user }),
  })
  const stop = async () => {
    await server.stop()
    if (!durable && home !== directory) await rm(home, { recursive: true, force: true })
  }
  const password = encodeURIComponent((await readFile(passwordFile, 'utf8')).trim())
  const url = `postgres://postgres:${password}@127.0.0.1:${server.port}/postgres`
  return toRunningServer({ ...server, stop }, { url, version: program.version })
}
