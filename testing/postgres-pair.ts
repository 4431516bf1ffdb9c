import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { startPostgres } from '#local'
import { type ControlledServer, controlServer } from './controlled-server.ts'
import { startFaultProxy } from './fault-proxy.ts'

/**
 * A Postgres primary with a synchronous standby, and an address that moves with the primary, as a service of Kubernetes does. What
 * the primary has committed for a client, the standby has as well.
 */
export interface PostgresPair extends AsyncDisposable {
  /** The superuser's URL at the address that moves. */
  readonly url: string
  /** Host and port of both servers; the first is the standby at first. */
  readonly hosts: readonly string[]
  readonly primary: () => ControlledServer
  /** Makes the standby the primary, and moves the address. The other server must not run, or be stopped by a signal. */
  readonly promote: () => Promise<void>
  /** Replaces the server that is not the primary by a new synchronous standby. */
  readonly rejoin: () => Promise<void>
}

interface Member {
  readonly url: string
  readonly server: ControlledServer
  /** The server that it copies at its next start. */
  standbyOf: string | undefined
}

const settings = { wal_keep_size: '256MB' }
const pollMs = 50
const streamingWithinMs = 60_000

export async function startPostgresPair(directory: string): Promise<PostgresPair> {
  await using starting = new AsyncDisposableStack()
  // If root runs the tests, Postgres runs as another user, who needs access to the directory.
  await chmod(directory, 0o711)
  const startMember = async (name: string, standbyOf?: string): Promise<Member> => {
    const own = join(directory, name)
    const start = (options: { readonly port?: number; readonly standbyOf: string | undefined }) =>
      startPostgres({ directory: own, durable: true, settings, ...options })
    const { url, stop } = await start({ standbyOf })
    starting.defer(stop)
    const server = controlServer({
      url,
      pidFile: join(own, 'postgres.pid'),
      start: (port) => start({ port, standbyOf: member.standbyOf }),
    })
    starting.use(server)
    const member: Member = { url, server, standbyOf: undefined }
    return member
  }
  let primary = await startMember('postgres-1')
  let other = await startMember('postgres-2', primary.url)
  await waitForStandby(primary.url)
  const service = starting.use(await startFaultProxy(primary.url))
  const stack = starting.move()
  return {
    url: service.url,
    hosts: [other, primary].map((member) => new URL(member.url).host),
    primary: () => primary.server,
    async promote() {
      const next = other
      await query(next.url, 'alter system reset synchronous_standby_names')
      await query(next.url, 'select pg_reload_conf()')
      await query(next.url, 'select pg_promote()')
      other = primary
      primary = next
      service.setTarget(next.url)
    },
    async rejoin() {
      other.standbyOf = primary.url
      await other.server.restart()
      other.standbyOf = undefined
      await waitForStandby(primary.url)
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** Resolves when each commit waits for the standby. */
async function waitForStandby(primary: string): Promise<void> {
  await waitForState(primary, `state = 'streaming'`)
  await query(primary, `alter system set synchronous_standby_names = '*'`)
  await query(primary, 'select pg_reload_conf()')
  await waitForState(primary, `sync_state = 'sync'`)
}

async function waitForState(primary: string, condition: string): Promise<void> {
  for (const until = performance.now() + streamingWithinMs; performance.now() < until; await delay(pollMs))
    if ((await query(primary, `select from pg_stat_replication where ${condition}`)) > 0) return
  throw new Error('The standby did not connect to the primary in time.')
}

/** @returns the number of rows */
async function query(url: string, text: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rowCount ?? 0
  } finally {
    await client.end()
  }
}
