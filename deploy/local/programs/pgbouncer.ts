import { lookup } from 'node:dns/promises'
import { chown, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFreePort } from './free-port.ts'
import { choosePostgresDirectory } from './postgres-directory.ts'
import { compareVersions, type Program, requireProgram, versionNumbers } from './programs.ts'
import { type RunningServer, toRunningServer } from './running-server.ts'
import { startServer } from './server.ts'
import { findUnprivilegedUser } from './unprivileged-user.ts'

export interface PgBouncerOptions {
  readonly directory: string
  readonly port?: number
  /** The address of Postgres; its user and database are ignored. */
  readonly postgresUrl: string
  /** Roles and their passwords. */
  readonly roles: ReadonlyMap<string, string>
  /** Connections to Postgres of each role and database. */
  readonly poolSize: number
}

/** Those of docs/operate/high-availability.md. */
const settings = {
  pool_mode: 'transaction',
  ignore_startup_parameters: 'statement_timeout,lock_timeout,idle_in_transaction_session_timeout',
  max_client_conn: '1000',
  server_login_retry: '1',
  query_wait_timeout: '5',
  query_timeout: '6',
}
const preparedStatementSettings = { max_prepared_statements: '200' }

/** Whether this version of PgBouncer knows prepared statements in pools of transactions. */
export function supportsPreparedStatements({ version }: Pick<Program, 'version'>): boolean {
  return compareVersions(versionNumbers(version), [1, 21]) >= 0
}

/** Starts PgBouncer with pools of transactions. Run by root, it becomes an unprivileged user. */
export async function startPgBouncer(options: PgBouncerOptions): Promise<RunningServer> {
  const { directory, port, postgresUrl, roles, poolSize } = options
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const user = findUnprivilegedUser()
  const home = user === undefined ? directory : choosePostgresDirectory(user, directory, false)
  const program = await requireProgram('pgbouncer')
  const write = async (name: string, text: string) => {
    const file = join(home, name)
    await writeFile(file, text, { mode: 0o600 })
    if (user !== undefined) await chown(file, user.uid, user.gid)
    return file
  }
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`
  const userList = [...roles].map(([role, password]) => `${quote(role)} ${quote(password)}\n`).join('')
  const usersFile = await write('users.txt', userList)
  const listenPort = port ?? (await findFreePort())
  const { hostname, port: postgresPort } = new URL(postgresUrl)
  // Of several addresses PgBouncer would use each in turn; our own servers listen on the first.
  const { address } = await lookup(hostname)
  const postgres = { host: address, port: postgresPort || '5432' }
  const configuration = formatConfiguration({ postgres, usersFile, poolSize, program, listenPort })
  const file = await write('pgbouncer.ini', configuration)
  const server = await startServer({
    title: 'PgBouncer',
    command: program.path,
    args: () => [file],
    ready: /process up/,
    transientError: /Address already in use/,
    port: listenPort,
    log: join(directory, 'pgbouncer.log'),
    pidFile: join(directory, 'pgbouncer.pid'),
    environment: {},
    stopSignal: 'SIGINT',
    stopDeadlineMs: 5_000,
    stopsWithParentBy: 'watcher',
    workingDirectory: home,
    ...(user && { user }),
  })
  const stop = async () => {
    await server.stop()
    if (home !== directory) await rm(home, { recursive: true, force: true })
  }
  return toRunningServer({ ...server, stop }, { url: `postgres://127.0.0.1:${listenPort}`, version: program.version })
}

interface Configuration extends Pick<PgBouncerOptions, 'poolSize'> {
  readonly postgres: { readonly host: string; readonly port: string }
  readonly usersFile: string
  readonly program: Program
  readonly listenPort: number
}

function formatConfiguration({ postgres, usersFile, poolSize, program, listenPort }: Configuration): string {
  const all = {
    ...settings,
    ...(supportsPreparedStatements(program) && preparedStatementSettings),
    listen_addr: '127.0.0.1',
    listen_port: listenPort,
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: usersFile,
    default_pool_size: poolSize,
  }
  return [
    '[databases]',
    `* = host=${postgres.host} port=${postgres.port}`,
    '[pgbouncer]',
    ...Object.entries(all).map(([name, value]) => `${name} = ${value}`),
    '',
  ].join('\n')
}
