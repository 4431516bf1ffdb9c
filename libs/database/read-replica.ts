import type { Knex } from 'knex'
import type pg from 'pg'
import type { Logger } from '#runtime'
import { guardConnection } from './guard-connection.ts'
import { readLogPosition } from './log-position.ts'
import { createPool } from './pool.ts'
import { createReader, type Reader } from './reader.ts'
import { createReplicaAge } from './replica-age.ts'
import type { Execution } from './run-statement.ts'
import { sessionLimits } from './session-limits.ts'

/** What statements run on: the primary's, or a replica's. */
export interface Connections {
  readonly knex: Knex
  readonly reader: Reader
}

/** Why a replica is not used. */
export type ReplicaState = 'following' | 'unavailable' | 'promoted' | 'foreign'

/** A standby of the primary that serves reads. */
export interface ReadReplica extends AsyncDisposable {
  readonly connections: Connections
  readonly state: () => ReplicaState
  /** Its data can lack only changes after this time (`performance.now()`). */
  readonly freshAt: () => number
  /** Does not use it until it answers again. */
  readonly distrust: () => void
}

interface ReplicaOptions {
  readonly url: string
  readonly name: string
  /** The primary's connections for look-ups. */
  readonly primary: Reader
  readonly execution: Execution
  /** How long positions of the primary are remembered. */
  readonly keepMs: number
  readonly logger: Logger
  /** Number of the replica in the setting, from 1. */
  readonly replica: number
}

// Our choices. A failed read is repeated at the primary, within the caller's deadline of five seconds.
const statementTimeoutMs = 2_000
const silenceMs = statementTimeoutMs + 500
const connectTimeoutMs = 1_000
const [poolConnections, readerConnections] = [2, 2]
/** Pause between two looks at a replica. Our choice: the age of one that keeps up is at most twice as much. */
const checkPauseMs = 500

/** Connects to a replica when it is first used, and asks it all the time how far it has replayed. It may be unavailable. */
export function openReadReplica(options: ReplicaOptions): ReadReplica {
  const { url, name, primary, execution, keepMs, logger, replica } = options
  const config = {
    application_name: name,
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    ...sessionLimits,
    statement_timeout: statementTimeoutMs,
  }
  // A standby is read-only: it is no failure of the connection.
  const prepare = (client: pg.Client) => guardConnection(client, { silenceMs, onUnwritable: () => {} })
  const reader = createReader({ config: () => config, prepare, execution, connections: readerConnections })
  const pool = createPool({
    connect: () => ({ config, isCurrent: () => true }),
    prepare,
    connections: poolConnections,
    acquireTimeoutMs: connectTimeoutMs,
    execution,
    logger,
  })
  const age = createReplicaAge(keepMs)
  let state: ReplicaState = 'unavailable'
  let freshAt = Number.NEGATIVE_INFINITY
  let distrustedAt = Number.NEGATIVE_INFINITY
  let isClosed = false

  const setState = (next: ReplicaState) => {
    if (next !== state) logger.warn({ replica, state: next }, 'the state of a read replica changed')
    state = next
  }
  const look = async () => {
    const startedAt = performance.now()
    const position = await readLogPosition(reader).catch(() => undefined)
    if (position === undefined) return setState('unavailable')
    if (!position.isStandby) return setState('promoted')
    // After the replica, which can have replayed nothing that the primary does not have now.
    const askedAt = performance.now()
    const current = await readLogPosition(primary).catch(() => undefined)
    // Without an answer of the primary, the age grows.
    if (current === undefined || current.isStandby) return
    age.addPrimary({ ...current, askedAt })
    const isFreshAt = age.findFreshAt(position)
    if (isFreshAt === undefined) return setState('foreign')
    if (startedAt < distrustedAt) return
    freshAt = isFreshAt
    setState('following')
  }
  const lookAgain = async () => {
    await look()
    if (!isClosed) timer.refresh()
  }
  const timer = setTimeout(lookAgain, checkPauseMs).unref()
  void look()

  return {
    connections: { knex: pool.knex, reader },
    state: () => state,
    freshAt: () => freshAt,
    distrust() {
      distrustedAt = performance.now()
      setState('unavailable')
      // They may be dead as well.
      reader.renew()
      pool.closeIdle()
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      clearTimeout(timer)
      await reader[Symbol.asyncDispose]()
      await pool.knex.destroy()
    },
  }
}
