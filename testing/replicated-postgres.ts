import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { startPostgres } from '#local'
import { type ControlledServer, controlServer } from './controlled-server.ts'

/** A Postgres primary with a standby that follows it asynchronously, for reads. */
export interface ReplicatedPostgres extends AsyncDisposable {
  /** The superuser's URL of the primary. */
  readonly url: string
  /** Returns the URL of the same database and role at the replica. */
  readonly atReplica: (url: string) => string
  readonly replica: ControlledServer
  /** The replica stops applying changes, which it still receives. */
  readonly pauseReplay: () => Promise<void>
  readonly resumeReplay: () => Promise<void>
  /** Resolves when the replica has replayed what the primary has now. */
  readonly whenReplayed: () => Promise<void>
  /** Makes the replica a primary of its own. */
  readonly promote: () => Promise<void>
  /** Replaces a promoted replica by a new one at the same address. */
  readonly rejoin: () => Promise<void>
  /** Resolves when the replica runs a statement that contains the text. */
  readonly whenRunning: (text: string) => Promise<void>
}

const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'replica',
  max_wal_senders: '5',
  synchronous_commit: 'on',
  wal_keep_size: '256MB',
  // The replica cancels statements that conflict with a change at once.
  max_standby_streaming_delay: '0',
}
const pollMs = 20

export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  await using starting = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'social-login-replicated-'))
  starting.defer(() => rm(directory, { recursive: true, force: true }))
  // If root runs the tests, Postgres runs as another user, who needs access to the directory.
  await chmod(directory, 0o711)
  // The replica continues with its data after a restart.
  const options = { durable: true, settings }
  const primary = await startPostgres({ ...options, directory: join(directory, 'primary') })
  starting.defer(primary.stop)
  const own = join(directory, 'replica')
  const standby = await startPostgres({ ...options, directory: own, standbyOf: primary.url })
  starting.defer(standby.stop)
  // The server that it copies at its next start.
  let standbyOf: string | undefined
  const replica = starting.use(
    controlServer({
      url: standby.url,
      pidFile: join(own, 'postgres.pid'),
      start: (port) => startPostgres({ ...options, directory: own, port, standbyOf }),
    }),
  )
  const { host } = new URL(standby.url)
  const stack = starting.move()
  return {
    url: primary.url,
    atReplica: (url) => Object.assign(new URL(url), { host }).href,
    replica,
    pauseReplay: async () => {
      await ask(standby.url, 'select pg_wal_replay_pause()')
      await poll(standby.url, `select pg_get_wal_replay_pause_state() = 'paused'`)
    },
    resumeReplay: async () => {
      await ask(standby.url, 'select pg_wal_replay_resume()')
    },
    async whenReplayed() {
      const position = await ask(primary.url, 'select pg_current_wal_lsn()::text')
      await poll(standby.url, `select pg_last_wal_replay_lsn() >= '${position}'`)
    },
    promote: async () => {
      await ask(standby.url, 'select pg_promote()')
    },
    async rejoin() {
      standbyOf = primary.url
      await replica.restart()
      standbyOf = undefined
    },
    whenRunning: (text) =>
      poll(
        standby.url,
        `select exists (
           select from pg_stat_activity where pid <> pg_backend_pid() and state = 'active' and query like '%${text}%'
         )`,
      ),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** Asks until the answer is true. */
async function poll(url: string, text: string): Promise<void> {
  while ((await ask(url, text)) !== true) await delay(pollMs)
}

/** Returns the only value of the only row. */
async function ask(url: string, text: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' })
    return rows[0]?.[0]
  } finally {
    await client.end()
  }
}
